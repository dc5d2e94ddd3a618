import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createTableWebhook, logsOf, rowsOf, type TableWebhook, webhookOf } from '../system/deliveries.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let ana: Person;
let webhook: TableWebhook;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
  webhook = await createTableWebhook(ana);
});

const path = () => `/api/v3/webhooks/${webhook.id}`;
const send = (body: unknown) => ana.http.post(`${path()}/test`, body);

test('a test delivery is logged and becomes a row, with the given payload or an example', async () => {
  const { status, body, headers } = await send({ payload: { order: 7 } });
  expect([status, body]).toEqual([200, { message: 'Test delivery received' }]);
  expect(headers.get('x-event-position')).toMatch(/^WEBHOOKS:\d+$/);
  expect((await send({})).status).toBe(200);
  const logs = await logsOf(ana, webhook);
  expect(logs).toMatchObject([
    { status: 'processed', source_ip: 'test' },
    { status: 'processed', source_ip: 'test', payload: '{"order":7}' },
  ]);
  expect(JSON.parse(logs[0]?.payload ?? '')).toMatchObject({ test: true, sent_at: expect.any(String) });
  expect(await rowsOf(ana, webhook.table_id)).toHaveLength(2);
});

test('needs no signature, and an Idempotency-Key makes it one delivery', async () => {
  const verification = { type: 'github', secret: 'a secret' };
  expect((await ana.http.patch(path(), { verification })).status).toBe(200);
  const once = { 'idempotency-key': 'once' };
  for (let round = 0; round < 2; round++) {
    expect((await ana.http.post(`${path()}/test`, { payload: 1 }, once)).status).toBe(200);
  }
  expect(await logsOf(ana, webhook)).toHaveLength(1);
});

test('an inactive webhook says so', async () => {
  await ana.http.patch(path(), { isActive: false });
  expect(await send({})).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('activate it first') },
  });
  expect(await logsOf(ana, webhook)).toEqual([]);
});

test('a payload is refused when it is larger than that of a sender may be', async () => {
  expect((await send({ payload: 'x'.repeat(1_100_000) })).status).toBe(413);
  expect((await send([])).status).toBe(422);
  expect(await logsOf(ana, webhook)).toEqual([]);
});

test('one webhook is read as it is listed', async () => {
  const { status, body } = await ana.http.get(path());
  expect(status).toBe(200);
  expect(await webhookOf(ana, webhook.id)).toMatchObject(body);
});
