import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../access/person.ts';
import type { HeaderFields, HttpClient } from '../system/http-client.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { inSeconds } from '../system/tokens.ts';
import { createTableWebhook, createWebhook, deliver, logsOf, rowsOf, textOf } from './deliveries.ts';

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

interface Scheme {
  readonly secret: string;
  /** @param time seconds since 1970 */
  readonly sign: (secret: string, body: string, time: number) => HeaderFields;
}

const schemes: Readonly<Record<string, Scheme>> = {
  'standard-webhooks': {
    secret: `whsec_${standardKey.toString('base64')}`,
    sign: (secret, body, time) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const id = `msg_${randomUUID()}`;
      const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,AAAA v1,${signature}` };
    },
  },
  github: {
    secret: 'It’s a secret',
    sign: (secret, body) => ({ 'x-hub-signature-256': `sha256=${hex(secret, body)}` }),
  },
  stripe: {
    secret: 'whsec_stripe',
    sign: (secret, body, time) => ({ 'stripe-signature': `t=${time},v1=${hex(secret, `${time}.${body}`)},v0=00` }),
  },
  'hmac-sha256': {
    secret: 'plain',
    sign: (secret, body) => ({ 'x-signature-256': `sha256=${hex(secret, body)}` }),
  },
};

describe.each(Object.entries(schemes))('a webhook that asks for signatures: %s', (type, { secret, sign }) => {
  test('takes a delivery with a good one, and neither a delivery with a bad one nor a log of it', async () => {
    const webhook = await createTableWebhook(ana, { verification: { type, secret } });
    expect(webhook.verification).toEqual({ type });
    const now = inSeconds(0);
    const otherSecret = secret.replace(/.{4}$/, 'AAAA');
    const bad: HeaderFields[] = [
      {},
      sign(otherSecret, payload, now),
      sign(secret, `${payload} `, now),
      ...Object.keys(sign(secret, payload, now)).map((name) => ({ ...sign(secret, payload, now), [name]: '' })),
    ];
    if (['standard-webhooks', 'stripe'].includes(type)) {
      bad.push(sign(secret, payload, now - 3_600), sign(secret, payload, now + 3_600));
    }
    for (const headers of bad) {
      const answer = await deliver(system.http, webhook, payload, headers);
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
      expect(answer.headers.get('www-authenticate')).not.toBeNull();
    }
    expect(await logsOf(ana, webhook)).toEqual([]);
    for (const http of [system.http, other]) {
      expect((await deliver(http, webhook, payload, sign(secret, payload, now))).status).toBe(200);
    }
    expect((await logsOf(ana, webhook)).map((log) => log.payload)).toEqual([payload, payload]);
    expect(await rowsOf(ana, webhook.table_id)).toHaveLength(2);
  });
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

describe('a webhook that wants each delivery once', () => {
  const names = ['webhook-id', 'x-github-delivery', 'idempotency-key'];

  test.each(names)('makes one log and one row of it, also later and on another gateway: %s', async (name) => {
    const webhook = await createTableWebhook(ana, { deduplicate: true });
    const send = (http: HttpClient, delivery: string, body: string) =>
      deliver(http, webhook, body, { [name]: delivery });
    const first = await send(system.http, 'd1', '{"n":1}');
    for (const http of [system.http, other]) {
      const again = await send(http, 'd1', '{"n":1}');
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect((await send(system.http, 'd2', '{"n":2}')).status).toBe(200);
    expect((await deliver(system.http, webhook, '{"n":3}')).status).toBe(200);
    expect((await deliver(system.http, webhook, '{"n":3}')).status).toBe(200);
    const payloads = ['{"n":3}', '{"n":3}', '{"n":2}', '{"n":1}'];
    expect((await logsOf(ana, webhook)).map((log) => log.payload)).toEqual(payloads);
    expect(await rowsOf(ana, webhook.table_id)).toHaveLength(4);
  });

  test('makes one of forty that come at once on two gateways', async () => {
    const webhook = await createTableWebhook(ana, { deduplicate: true });
    const send = (http: HttpClient) => deliver(http, webhook, '{"a":1}', { 'webhook-id': 'storm' });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index % 2 ? system.http : other)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await logsOf(ana, webhook)).toHaveLength(1);
    expect(await rowsOf(ana, webhook.table_id)).toHaveLength(1);
  });

  test('knows its own deliveries only, and only while it is asked to', async () => {
    const [one, two] = [await createWebhook(ana, { deduplicate: true }), await createWebhook(ana)];
    const headers = { 'webhook-id': 'same' };
    for (const webhook of [one, one, two, two]) await deliver(system.http, webhook, '1', headers);
    expect(await logsOf(ana, one)).toHaveLength(1);
    expect(await logsOf(ana, two)).toHaveLength(2);
    await ana.http.patch(`/api/v3/webhooks/${two.id}`, { deduplicate: true });
    for (let count = 0; count < 3; count++) await deliver(system.http, two, '2', { 'webhook-id': 'new' });
    expect((await logsOf(ana, two)).filter((log) => log.payload === '2')).toHaveLength(1);
  });
});
