import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acknowledge,
  addedColumns,
  createTableWebhook,
  createWebhook,
  logsOf,
  rowsOf,
  type TableWebhook,
} from '../system/deliveries.ts';
import type { HttpClient } from '../system/http-client.ts';
import { newPerson, type Person } from '../system/person.ts';
import type { System } from '../system/start-system.ts';
import { startWebhookSystem } from './webhook-system.ts';

let system: System;
let gateways: readonly [HttpClient, HttpClient];
let ana: Person;
let webhook: TableWebhook;
beforeAll(async () => {
  system = await startWebhookSystem();
  // Two of each: they do not know of each other.
  const [other] = await Promise.all([system.addGateway(), system.addService('webhook')]);
  gateways = [system.http, other.http];
  ana = await newPerson(system.http);
  return system.stop;
});
beforeEach(async () => {
  webhook = await createTableWebhook(ana);
});

const deliverAtOnce = (count: number, payload: (index: number) => string, at = () => webhook) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => acknowledge(gateways[index % 2 ? 0 : 1], at(), payload(index))),
  );

describe('with two gateways and two webhook services', () => {
  test('100 first payloads with one new column at the same moment make one column and 100 rows', async () => {
    await deliverAtOnce(100, (index) => JSON.stringify({ 'New Field': index }));
    expect(await addedColumns(ana, webhook.table_id)).toEqual(['new_field: number']);
    const values = (await rowsOf(ana, webhook.table_id)).map((row) => row.values.new_field as number);
    expect(values.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(new Set((await logsOf(ana, webhook)).map(({ status }) => status))).toEqual(new Set(['processed']));
  });

  test('100 payloads with 100 new columns make each once, also through two webhooks of one table', async () => {
    const second = { ...webhook, ...(await createWebhook(ana, { tableId: webhook.table_id })) };
    const fields = (index: number) => Object.fromEntries([0, 1, 2].map((step) => [`f${(index + step) % 100}`, step]));
    let turn = 0;
    await deliverAtOnce(
      100,
      (index) => JSON.stringify(fields(index)),
      () => (turn++ % 3 ? webhook : { ...second, table_id: webhook.table_id }),
    );
    const columns = await addedColumns(ana, webhook.table_id);
    expect(columns).toHaveLength(100);
    expect(new Set(columns).size).toBe(100);
    expect(await rowsOf(ana, webhook.table_id)).toHaveLength(100);
  });

  test('deliveries of a webhook are processed in the order in which they were answered', async () => {
    const other = await createTableWebhook(ana);
    const noise = deliverAtOnce(
      100,
      (index) => JSON.stringify({ noise: index }),
      () => other,
    );
    for (let n = 0; n < 150; n++)
      await acknowledge(gateways[n % 2 ? 0 : 1], webhook, JSON.stringify({ n, [`c${n % 10}`]: n }));
    await noise;
    const newestFirst = Array.from({ length: 150 }, (_, index) => 149 - index);
    const logs = await logsOf(ana, webhook);
    expect(logs.map(({ payload }) => JSON.parse(payload).n)).toEqual(newestFirst);
    expect((await rowsOf(ana, webhook.table_id)).map(({ values }) => values.n)).toEqual(newestFirst);
    const times = logs.map(({ processed_at }) => Date.parse(processed_at ?? ''));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    const columns = Array.from({ length: 10 }, (_, index) => `c${index}: number`);
    expect(await addedColumns(ana, webhook.table_id)).toEqual(['n: number', ...columns]);
  });
});
