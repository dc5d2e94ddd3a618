import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';
import type { RequestOptions } from '../../testing/http-request.ts';
import type { KnownWebhook } from '../../testing/webhook-records.ts';

let webhook: KnownWebhook;

const fixture = useGateway({ TRUSTED_PROXIES: '' });
beforeEach(async () => {
  webhook = await fixture.webhooks.issue();
});

const send = (raw: string | Buffer, options: RequestOptions = {}) =>
  fixture.http('POST', webhook.path, { raw, ...options });
const recorded = async (of = webhook) =>
  (await fixture.webhooks.deliveriesOf(of)).map(({ data }) => Buffer.from(data as Uint8Array).toString());

describe('a delivery', () => {
  it('is answered when it is in the log, with the bytes that came', async () => {
    const raw = ' {"n": 9007199254740993, "e":1e400,"p":1.10, "a":1,"a":2,\r\n"ü":"\\ud800" }\n';
    const reply = await send(raw, { headers: { 'x-request-id': 'r1' } });
    expect([reply.status, reply.body]).toEqual([200, { message: 'Webhook received' }]);
    const [delivery, ...others] = await fixture.webhooks.deliveriesOf(webhook);
    expect(others).toEqual([]);
    expect(Buffer.from(delivery?.data as Uint8Array).toString()).toBe(raw);
    expect(delivery).toMatchObject({
      type: 'CallReceived',
      source: 'gateway',
      correlationId: 'r1',
      actor: undefined,
      attributes: { webhookid: String(webhook.id), sourceip: '127.0.0.1' },
    });
    expect(reply.headers).toMatchObject({
      'x-request-id': 'r1',
      'x-event-position': `WEBHOOKS:${delivery?.position.sequence}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it.each(['null', '0', '"text"', '[]', '{}', '{"__proto__":{"a":1}}'])('may be any JSON: %s', async (raw) => {
    expect((await send(raw)).status).toBe(200);
    expect(await recorded()).toEqual([raw]);
  });

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'nonsense',
    'application/json; charset=latin1',
  ])('may say that it is of any type: %s', async (type) => {
    expect((await send('{"a":"é"}', type === undefined ? {} : { headers: { 'content-type': type } })).status).toBe(200);
    expect(await recorded()).toEqual(['{"a":"é"}']);
  });

  it.each(['x=%zz', 'a&'.repeat(200)])('may have any query string, which is not read: %s', async (query) => {
    const { status } = await fixture.http('POST', `${webhook.path}?${query}`, { raw: '{"n":1}' });
    expect([status, await recorded()]).toEqual([200, ['{"n":1}']]);
  });

  it('does not get 404 while the bucket of webhooks is being rebuilt', async () => {
    const path = `/api/webhooks/incoming/${'0'.repeat(32)}`;
    await fixture.webhooks.setFilled(false);
    const waiting = await fixture.http('POST', path, { raw: '{}' });
    await fixture.webhooks.setFilled(true);
    expect(waiting).toMatchObject({ status: 503, body: { code: 'REBUILDING' } });
    expect((await fixture.http('POST', path, { raw: '{}' })).status).toBe(404);
  });

  it('needs no credentials, and may have invalid ones', async () => {
    const headers = { authorization: 'Bearer sk-00000000000000000000000000000000' };
    expect((await send('{}', { headers })).status).toBe(200);
  });

  it('is recorded each time, also with an idempotency key', async () => {
    const headers = { 'idempotency-key': 'k1' };
    await send('{"n":1}', { headers });
    expect((await send('{"n":2}', { headers })).status).toBe(200);
    expect(await recorded()).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('is accepted while no other service runs', async () => {
    const names = ['memory-ingest', 'memory-query', 'keys', 'webhook'];
    await Promise.all(names.map((name) => fixture.services.stop(name)));
    const { status } = await send('{}');
    await Promise.all(names.map((name) => fixture.services.start(name)));
    expect(status).toBe(200);
  });

  it('is recorded once, also with 99 concurrent ones', async () => {
    const bodies = Array.from({ length: 100 }, (_, index) => JSON.stringify({ index }));
    const replies = await Promise.all(bodies.map((body) => send(body)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await recorded()).toSorted()).toEqual(bodies.toSorted());
  });
});

describe('a refused delivery leaves nothing', () => {
  it.each(['', ' ', '{', '{a:1}', "{'a':1}", 'NaN', 'undefined', '{"a":1}x', '\u{feff}\u{feff}{}'])(
    '400: it is no JSON: %j',
    async (raw) => {
      const { status, body } = await send(raw);
      expect([status, body.code, body.message]).toEqual([400, 'BAD_REQUEST', 'The body is not JSON in UTF-8']);
      expect(await recorded()).toEqual([]);
    },
  );

  it.each([
    Buffer.from('{"a":"ü"}', 'latin1'),
    Buffer.from('{"a":1}', 'utf16le'),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  ])('400: it is not in UTF-8', async (raw) => {
    expect((await send(raw)).status).toBe(400);
    expect(await recorded()).toEqual([]);
  });

  it.each(['inactive', 'deleted'] as const)('404: the webhook is %s, from the next delivery on', async (state) => {
    expect((await send('{}')).status).toBe(200);
    await fixture.webhooks.change(webhook, { state });
    const { status, body } = await send('{}');
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'Webhook not found or inactive']);
    expect(await recorded()).toHaveLength(1);
    await fixture.webhooks.change(webhook, { state: 'active' });
    expect((await send('{}')).status).toBe(200);
  });

  it.each(['0'.repeat(32), 'A'.repeat(32), 'a'.repeat(31), 'a'.repeat(33), '%00', 'a.b', '*', '..%2f', 'constructor'])(
    '404: there is no such token: %s',
    async (token) => {
      const { status, body } = await fixture.http('POST', `/api/webhooks/incoming/${token}`, { raw: '{}' });
      expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'Webhook not found or inactive']);
    },
  );

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('405: by %s', async (method) => {
    const { status, headers } = await fixture.http(method, webhook.path);
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect(await recorded()).toEqual([]);
  });
});

describe('a compressed delivery', () => {
  const json = JSON.stringify({ text: 'x'.repeat(1_000) });

  it.each([
    ['gzip', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['GZIP', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['identity', Buffer.from(json)],
  ])('is taken as what it was before: %s', async (encoding, raw) => {
    expect((await send(raw, { headers: { 'content-encoding': encoding } })).status).toBe(200);
    expect(await recorded()).toEqual([json]);
  });

  it.each(['zstd', 'compress', 'gzip, gzip', 'nonsense'])('is 415 when its encoding is %s', async (encoding) => {
    const { status, body } = await send('{}', { headers: { 'content-encoding': encoding } });
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await recorded()).toEqual([]);
  });

  it.each([Buffer.from('{}'), gzipSync(json).subarray(0, 20)])('is 400 when it cannot be decompressed', async (raw) => {
    const { status, body } = await send(raw, { headers: { 'content-encoding': 'gzip' } });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });
});

it('the source address is the one in the forwarded headers of a trusted proxy', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  await send('{}', { headers });
  const behindProxy = await fixture.startAnother({ TRUSTED_PROXIES: 'loopback' });
  await behindProxy.http('POST', webhook.path, { raw: '{}', headers });
  for (const forwarded of ['::ffff:203.0.113.8', '203.0.113.9:4711', '[2001:db8::1]:4711', 'some-host']) {
    await behindProxy.http('POST', webhook.path, { raw: '{}', headers: { 'x-forwarded-for': forwarded } });
  }
  const deliveries = await fixture.webhooks.deliveriesOf(webhook);
  const addresses = deliveries.map(({ attributes }) => attributes.sourceip);
  const forwarded = ['203.0.113.7', '203.0.113.8', '203.0.113.9', '2001:db8::1', 'unknown'];
  expect(addresses).toEqual(['127.0.0.1', ...forwarded]);
});

it.each([
  ['203.0.113.7:4711, 10.0.0.5:9001', '203.0.113.7'],
  ['203.0.113.7:4711, [2001:db8::5]:9001', '203.0.113.7'],
  ['203.0.113.7, [2001:db8::5]', '203.0.113.7'],
  ['203.0.113.7:4711, 10.0.0.6:9001', '10.0.0.6'],
  ['203.0.113.7, some-host:9001', 'unknown'],
])('behind several trusted proxies, the source address of %s is %s', async (forwarded, address) => {
  const TRUSTED_PROXIES = 'loopback,10.0.0.5,2001:db8::5';
  const { http } = await fixture.startAnother({ TRUSTED_PROXIES });
  await http('POST', webhook.path, { raw: '{}', headers: { 'x-forwarded-for': forwarded } });
  const deliveries = await fixture.webhooks.deliveriesOf(webhook);
  expect(deliveries.map(({ attributes }) => attributes.sourceip)).toEqual([address]);
});
