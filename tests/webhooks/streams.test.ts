import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acknowledge, createTableWebhook, createWebhook, logsOf, rowsOf, textOf } from '../system/deliveries.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';
import { followDeliveries } from './delivery-events.ts';

let system: SharedSystem;
let ana: Person;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
});

describe('the live stream', () => {
  test('brings each delivery once, when it is processed, as it is in the logs', async () => {
    const [webhook, other] = [await createTableWebhook(ana), await createWebhook(ana)];
    await acknowledge(system.http, webhook, '"before"');
    const events = await followDeliveries(ana, webhook.id);
    expect(events.contentType).toMatch(/^text\/event-stream/);
    for (let n = 0; n < 5; n++) {
      await acknowledge(system.http, other, '"of another"');
      await acknowledge(system.http, webhook, `{"n":${n},\n"big":9007199254740993}`);
    }
    const taken = await events.take(5);
    await events.close();
    const logs = (await logsOf(ana, webhook)).slice(0, 5).toReversed();
    expect(taken.map(({ delivery }) => delivery)).toEqual(logs);
    expect(taken.map(({ id }) => id)).toEqual(logs.map(({ id }) => String(id)));
    expect(new Set(logs.map(({ status }) => status))).toEqual(new Set(['processed']));
  });

  test('goes on behind Last-Event-ID, without a gap and without a repetition, on any gateway', async () => {
    const webhook = await createWebhook(ana);
    const first = await followDeliveries(ana, webhook.id, '0');
    for (const n of [1, 2, 3]) await acknowledge(system.http, webhook, String(n));
    const [one, two] = await first.take(2);
    await first.close();
    for (const n of [4, 5]) await acknowledge(system.http, webhook, String(n));
    const gateway = await system.addGateway();
    const there = { ...ana, http: gateway.http.as(tokenOf(ana.userId)) };
    const second = await followDeliveries(there, webhook.id, two?.id);
    await acknowledge(system.http, webhook, '6');
    const taken = await second.take(4);
    await second.close();
    await gateway.process.kill();
    expect([one, two, ...taken].map((event) => event?.delivery.payload)).toEqual(['1', '2', '3', '4', '5', '6']);
  });
});

describe('exports', () => {
  test('are written as a whole, whatever the pages are, the oldest row first', async () => {
    const webhook = await createTableWebhook(ana, { newTableName: 'Grüße' });
    const count = 550;
    for (let n = 0; n < count; n += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          acknowledge(system.http, webhook, `{"n":${n + index},"${'x'.repeat(200)}":"${'y'.repeat(400)}"}`),
        ),
      );
    }
    const path = `/api/v3/tables/${webhook.table_id}/rows`;
    const rows = (await rowsOf(ana, webhook.table_id)).toReversed();
    expect(rows).toHaveLength(count);
    expect(JSON.parse(await textOf(ana, `${path}.json`))).toEqual(rows);
    const [header, ...lines] = (await textOf(ana, `${path}.csv`)).trimEnd().split('\r\n');
    expect(header?.startsWith('received_at,source_ip,raw_payload,n,')).toBe(true);
    expect(lines.map((line) => Number(/,(\d+),y+$/.exec(line)?.[1]))).toEqual(rows.map(({ values }) => values.n));
    const { headers } = await ana.http.get(`${path}.csv`);
    expect(headers.get('content-length')).toBeNull();
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''gr%C3%BC%C3%9Fe.csv");
  });
});
