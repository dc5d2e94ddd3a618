import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createTableWebhook, createWebhook, deliver, logsOf, rowsOf, textOf } from '../system/deliveries.ts';
import type { HeaderFields, HttpClient } from '../system/http-client.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { inSeconds } from '../system/tokens.ts';

let system: SharedSystem;
let other: HttpClient;
let ana: Person;
beforeAll(async () => {
  system = await shareSystem();
  other = (await system.addGateway()).http;
  return system.release;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
});

const payload = '{"event":"paid","n":9007199254740993}';
const standardKey = Buffer.from('a key of twenty-four byt');
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** As `standard-webhooks` signs, now unless a time is given, in seconds since 1970. */
function signed(body: string, key = standardKey, time = inSeconds(0)): HeaderFields {
  const id = `msg_${randomUUID()}`;
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,AAAA v1,${signature}` };
}

test('a webhook that asks for signatures takes a delivery with a good one, and no other', async () => {
  const verification = { type: 'standard-webhooks', secret: `whsec_${standardKey.toString('base64')}` };
  const webhook = await createTableWebhook(ana, { verification });
  expect(webhook.verification).toEqual({ type: 'standard-webhooks' });
  const bad = [
    {},
    signed(payload, Buffer.from('another key')),
    signed(`${payload} `),
    signed(payload, standardKey, inSeconds(-3_600)),
  ];
  for (const headers of bad) {
    const answer = await deliver(system.http, webhook, payload, headers);
    expect(answer, JSON.stringify(headers)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect(answer.headers.get('www-authenticate')).not.toBeNull();
  }
  expect(await logsOf(ana, webhook)).toEqual([]);
  for (const http of [system.http, other]) {
    expect((await deliver(http, webhook, payload, signed(payload))).status).toBe(200);
  }
  expect((await logsOf(ana, webhook)).map((log) => log.payload)).toEqual([payload, payload]);
  expect(await rowsOf(ana, webhook.table_id)).toHaveLength(2);
});

test('another secret holds from the next delivery, and so does none; no answer shows it', async () => {
  const { id, token } = await createWebhook(ana, { verification: { type: 'github', secret: 'first-secret' } });
  const path = `/api/v3/webhooks/${id}`;
  const statuses = async (secret: string) => {
    const headers = { 'x-hub-signature-256': `sha256=${hex(secret, payload)}` };
    return Promise.all(
      [system.http, other].map(async (http) => (await deliver(http, { token }, payload, headers)).status),
    );
  };
  expect(await statuses('first-secret')).toEqual([200, 200]);
  const changed = await ana.http.patch(path, { verification: { type: 'github', secret: 'second-secret' } });
  expect(await statuses('first-secret')).toEqual([401, 401]);
  expect(await statuses('second-secret')).toEqual([200, 200]);
  await ana.http.patch(path, { name: 'Renamed' });
  expect(await statuses('first-secret')).toEqual([401, 401]);
  const listed = await textOf(ana, `/api/v3/projects/${ana.projectId}/webhooks`);
  for (const text of [listed, JSON.stringify(changed.body)])
    expect(text).not.toMatch(/first-secret|second-secret|token_hash/);
  await ana.http.patch(path, { verification: { type: 'none' } });
  expect(await statuses('no-secret')).toEqual([200, 200]);
});

test('a webhook that wants each delivery once makes one log and one row of it, also on another gateway', async () => {
  const webhook = await createTableWebhook(ana, { deduplicate: true });
  const send = (delivery: string, body: string, http = system.http) =>
    deliver(http, webhook, body, { 'webhook-id': delivery });
  const first = await send('d1', '{"n":1}');
  for (const http of [system.http, other]) {
    const again = await send('d1', '{"n":1}', http);
    expect([again.status, again.body]).toEqual([200, first.body]);
  }
  const storm = Array.from({ length: 40 }, (_, index) => send('d2', '{"n":2}', index % 2 ? system.http : other));
  expect(new Set((await Promise.all(storm)).map(({ status }) => status))).toEqual(new Set([200]));
  for (const n of [3, 3]) expect((await deliver(system.http, webhook, `{"n":${n}}`)).status).toBe(200);
  const payloads = ['{"n":3}', '{"n":3}', '{"n":2}', '{"n":1}'];
  expect((await logsOf(ana, webhook)).map((log) => log.payload)).toEqual(payloads);
  expect(await rowsOf(ana, webhook.table_id)).toHaveLength(4);
});
