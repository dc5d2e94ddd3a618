import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acknowledge,
  addedColumns,
  createTableWebhook,
  createWebhook,
  deliver,
  logsOf,
  rowsOf,
  type TableWebhook,
} from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { newPerson, type Person } from '../system/person.ts';
import type { System } from '../system/start-system.ts';
import { sendSteadily } from '../system/steady-requests.ts';
import { startWebhookSystem } from './webhook-system.ts';

let system: System;
let ana: Person;
let webhook: TableWebhook;
beforeAll(async () => {
  system = await startWebhookSystem();
  ana = await newPerson(system.http);
  return system.stop;
});
beforeEach(async () => {
  // Some time after the outage of the test before.
  webhook = await eventually('a webhook can be made', () => createTableWebhook(ana));
});

const settled = () =>
  eventually('the logs are answered again', async () => {
    const { status } = await ana.http.get(`/api/v3/webhooks/${webhook.id}/logs?limit=1`);
    return status === 200;
  });

test('deliveries are taken while every service but the gateway is down, and processed in order later', async () => {
  const services = [system.service('webhook'), system.service('keys')];
  await Promise.all(services.map((service) => service.kill()));
  const { mongod } = system.stack.servers;
  await mongod.kill();
  try {
    for (let n = 0; n < 50; n++) await acknowledge(system.http, webhook, JSON.stringify({ n }));
    const answer = await ana.http.get(`/api/v3/webhooks/${webhook.id}/logs`);
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await deliver(system.http, { token: 'x'.repeat(32) }, '{}')).status).toBe(404);
  } finally {
    await mongod.start();
    await Promise.all(services.map((service) => service.start()));
  }
  await settled();
  const newestFirst = Array.from({ length: 50 }, (_, index) => 49 - index);
  expect((await logsOf(ana, webhook)).map(({ payload }) => JSON.parse(payload).n)).toEqual(newestFirst);
  expect((await rowsOf(ana, webhook.table_id)).map(({ values }) => values.n)).toEqual(newestFirst);
});

test('a delivery that cannot be recorded is 503 with Retry-After, never 200', async () => {
  await acknowledge(system.http, webhook, '1');
  const { nats } = system.stack.servers;
  await nats.kill();
  try {
    const answer = await deliver(system.http, webhook, '2');
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  } finally {
    await nats.start();
  }
  await eventually('deliveries are taken again', async () => (await deliver(system.http, webhook, '3')).status === 200);
  await settled();
  const payloads = (await logsOf(ana, webhook)).map(({ payload }) => payload);
  expect([payloads[0], payloads.at(-1)]).toEqual(['3', '1']);
});

const perSecond = scaled({ full: 1_000, short: 60 });
const seconds = scaled({ full: 60, short: 8 });
const total = perSecond * seconds;

test(`${perSecond} deliveries a second while the service is killed twice and NATS once: none of those answered is lost or doubled`, async () => {
  const [service, nats] = [system.service('webhook'), system.stack.servers.nats];
  const acknowledged = new Set<number>();
  let sent = 0;
  const send = async (n: number) => {
    // Restarts may take longer than these are to.
    if (n >= total) return;
    sent = n + 1;
    const { status } = await deliver(system.http, webhook, JSON.stringify({ n, [`c${n % 20}`]: n }));
    if (status === 200) acknowledged.add(n);
  };
  const storm = sendSteadily([{ name: 'delivery', perSecond, send }]);
  const partSent = (part: number) =>
    eventually(`${part} of the deliveries are sent`, () => sent >= part * total, (seconds + 30) * 1_000);
  await partSent(0.15);
  await service.kill();
  await partSent(0.25);
  await service.start();
  await partSent(0.4);
  await nats.restart();
  await partSent(0.6);
  await service.kill();
  await service.start();
  await partSent(1);
  await storm.stop();
  expect(acknowledged.size).toBeGreaterThan(sent / 2);
  await settled();
  const logged = numbersIn(await logsOf(ana, webhook), ({ payload }) => JSON.parse(payload).n);
  const rows = numbersIn(await rowsOf(ana, webhook.table_id), ({ values }) => values.n as number);
  for (const found of [logged, rows]) expect([...acknowledged.difference(found)]).toEqual([]);
  expect([...logged.symmetricDifference(rows)]).toEqual([]);
}, 300_000);

// The last tests: what is started here stays.
describe('with two gateways and two webhook services', () => {
  let gateways: readonly [HttpClient, HttpClient];
  beforeAll(async () => {
    // Two of each: they do not know of each other.
    const [other] = await Promise.all([system.addGateway(), system.addService('webhook')]);
    gateways = [system.http, other.http];
  });

  const deliverAtOnce = (count: number, payload: (index: number) => string, at = () => webhook) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => acknowledge(gateways[index % 2 ? 0 : 1], at(), payload(index))),
    );

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

/** The numbers of deliveries, each of which is there once. */
function numbersIn<T>(entries: readonly T[], numberOf: (entry: T) => number): ReadonlySet<number> {
  const numbers = new Set(entries.map(numberOf));
  expect(numbers.size).toBe(entries.length);
  return numbers;
}
