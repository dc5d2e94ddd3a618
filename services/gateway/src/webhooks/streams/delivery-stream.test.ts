import { type DeliveryReply, WireError, webhook } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';
import { type OpenStream, openStream, untilStill } from '../../testing/open-stream.ts';
import { inSeconds, jwtSecret, userToken } from '../../testing/tokens.ts';
import { deliveryReply } from '../../testing/webhook-replies.ts';

const path = '/api/v3/webhooks/3/logs/stream';
const notFound = () => new WireError({ status: 404, code: 'NOT_FOUND', message: 'Webhook not found' });
const deliveryOf = (id: number, payload = '{"a":\n1}') => deliveryReply(id, payload);

let open: OpenStream[] = [];
/** The deliveries that the service returns. */
let deliveries: DeliveryReply[];

const fixture = useGateway({ JWT_SECRET: jwtSecret });
beforeEach(async () => {
  for (const stream of open) stream.close();
  open = [];
  deliveries = [];
  fixture.services.answer(webhook.followDeliveries, ({ afterDeliveryId }) => ({
    deliveries: deliveries.filter(({ id }) => id > afterDeliveryId).slice(0, 2),
  }));
});

const authorization = (userId = 7) => ({ authorization: `Bearer ${userToken(userId)}` });
const follow = async (headers: Record<string, string> = {}, url = fixture.url) => {
  const stream = await openStream(url + path, { ...authorization(), ...headers });
  open.push(stream);
  return stream;
};
const asked = () =>
  fixture.services.requestsTo(webhook.followDeliveries).map(({ request }) => request as { afterDeliveryId: number });
const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => Number(id));

describe('the stream of deliveries', () => {
  it('has one event per delivery, in order, none twice', async () => {
    const stream = await follow({ 'last-event-id': '0' });
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    deliveries = [1, 2, 3, 4, 5].map((id) => deliveryOf(id));
    await expect.poll(() => idsIn(stream.text())).toEqual([1, 2, 3, 4, 5]);
    expect(stream.text()).toMatch(/^retry: 2000\n\n/);
    const [, first = ''] = /id: 1\ndata: (.*)\n\n/.exec(stream.text()) ?? [];
    expect(JSON.parse(first)).toEqual(deliveryOf(1));
    expect(asked()[0]).toEqual({ userId: 7, webhookId: 3, afterDeliveryId: 0, waitMs: 0, limit: 100 });
  });

  it('begins with the next delivery unless it is resumed', async () => {
    const known = await fixture.webhooks.issue();
    const { headers } = await fixture.http('POST', known.path, { raw: '{}' });
    const stream = await follow();
    const [, sequence] = String(headers['x-event-position']).split(':');
    expect(asked()[0]?.afterDeliveryId).toBe(Number(sequence));
    // So that a caller who waits in vain and loses the connection can resume.
    await expect.poll(() => stream.text()).toContain(`: waiting\nid: ${sequence}\n\n`);
  });

  it('goes on after the last delivery that the caller has seen, from any gateway, however new it is', async () => {
    const known = await fixture.webhooks.issue();
    const gateway = await fixture.startAnother({ JWT_SECRET: jwtSecret });
    for (const http of [fixture.http, gateway.http]) {
      const { headers } = await http('POST', known.path, { raw: '{}' });
      const [, sequence] = String(headers['x-event-position']).split(':');
      const last = Number(sequence);
      deliveries = [last - 1, last, last + 1].map((id) => deliveryOf(id));
      const stream = await follow({ 'last-event-id': String(last) });
      await expect.poll(() => idsIn(stream.text())).toEqual([last + 1]);
    }
    await gateway.stop();
  });

  it('does not wait behind the end of the log, which was restored from an earlier backup', async () => {
    const known = await fixture.webhooks.issue();
    const { headers } = await fixture.http('POST', known.path, { raw: '{}' });
    const [, sequence] = String(headers['x-event-position']).split(':');
    const beyond = { ...authorization(), 'last-event-id': String(Number(sequence) + 1) };
    const { status, body } = await fixture.http('GET', path, { headers: beyond });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.message).toContain('connect without it');
    expect(asked()).toEqual([]);
  });

  it('shows that it is alive while nothing comes', async () => {
    const stream = await follow();
    await expect.poll(() => stream.text(), { timeout: 5_000 }).toContain('\n\n: waiting\n\n');
  });

  it('outlives the service', async () => {
    const stream = await follow({ 'last-event-id': '0' });
    await fixture.services.stop('webhook');
    await fixture.services.start('webhook');
    deliveries = [deliveryOf(1)];
    await expect.poll(() => idsIn(stream.text()), { timeout: 10_000 }).toEqual([1]);
  });

  it('ends when the webhook is gone', async () => {
    const stream = await follow();
    fixture.services.answer(webhook.followDeliveries, () => {
      throw notFound();
    });
    expect(await stream.ended()).toBe('whole');
  });

  it('ends with its token', async () => {
    const token = userToken(7, { exp: inSeconds(2) });
    const stream = await follow({ 'last-event-id': '0', authorization: `Bearer ${token}` });
    expect(await stream.ended()).toBe('whole');
    expect(idsIn(stream.text())).toEqual([]);
    const { status } = await fixture.http('GET', path, { headers: { authorization: `Bearer ${token}` } });
    expect(status).toBe(401);
    expect(fixture.notes()).toEqual([]);
  });

  it('ends when its browser signs out, and sends nothing after it', async () => {
    const page = { 'mneme-console': '1', 'sec-fetch-site': 'same-origin' };
    const signedIn = await fixture.http('POST', '/api/v3/session', {
      body: { credential: userToken(7) },
      headers: page,
    });
    const headers = { ...page, cookie: signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
    const stream = await openStream(fixture.url + path, { ...headers, 'last-event-id': '0' });
    open.push(stream);
    await expect.poll(() => stream.text()).toContain(': waiting');
    expect((await fixture.http('DELETE', '/api/v3/session', { headers })).body).toEqual({ signed_out: true });
    deliveries = [deliveryOf(1)];
    expect(await stream.ended()).toBe('whole');
    expect(idsIn(stream.text())).toEqual([]);
  });

  it('ends when the gateway stops, soon', async () => {
    const gateway = await fixture.startAnother({ JWT_SECRET: jwtSecret });
    const stream = await follow({}, gateway.url);
    const startedAt = performance.now();
    const [how] = await Promise.all([stream.ended(), gateway.stop()]);
    expect(how).toBe('whole');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('stops its requests when the caller has gone', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    fixture.services.answer(webhook.followDeliveries, ({ waitMs }, { signal }) => {
      if (waitMs === 0) return { deliveries: [] };
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          resolve();
          reject(signal.reason);
        });
      });
    });
    const stream = await follow();
    await expect.poll(() => asked().length, { timeout: 5_000 }).toBe(2);
    stream.close();
    await aborted;
  });

  it('waits for a caller that reads nothing', async () => {
    const payload = 'x'.repeat(500_000);
    fixture.services.answer(webhook.followDeliveries, ({ afterDeliveryId }) => ({
      deliveries: [deliveryOf(afterDeliveryId + 1, payload)],
    }));
    const stream = await follow({ 'last-event-id': '0' });
    stream.response.pause();
    const before = await untilStill(() => asked().length);
    expect(before).toBeLessThan(100);
    stream.response.resume();
    await expect.poll(() => asked().length, { timeout: 10_000 }).toBeGreaterThan(before);
  });
});

describe('who may follow', () => {
  it('is decided before the stream begins', async () => {
    fixture.services.answer(webhook.followDeliveries, () => {
      throw notFound();
    });
    const { status, body } = await fixture.http('GET', path, { headers: authorization() });
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'Webhook not found']);
    fixture.services.answer(webhook.followDeliveries, () => {
      throw new Error('x');
    });
    const failed = await fixture.http('GET', path, { headers: authorization() });
    expect([failed.status, failed.body.code]).toEqual([500, 'FETCH_ERROR']);
  });

  it('is a user, not a key and not an unauthenticated caller', async () => {
    expect((await fixture.http('GET', path)).status).toBe(401);
    const headers = { 'x-api-key': await fixture.records.issueKey() };
    expect((await fixture.http('GET', path, { headers })).status).toBe(403);
  });

  it.each(['x', '-1', '1.5', '1e3', '0'.repeat(16)])('has to resume after the id of a delivery, not %s', async (id) => {
    const { status, body } = await fixture.http('GET', path, { headers: { ...authorization(), 'last-event-id': id } });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('has 10 streams at most, and another one when one of them ends', async () => {
    for (let count = 0; count < 10; count += 1) await follow();
    const { status, headers, body } = await fixture.http('GET', path, { headers: authorization() });
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
    expect((await follow(authorization(8))).response.statusCode).toBe(200);
    open[0]?.close();
    await expect.poll(async () => (await follow()).response.statusCode, { timeout: 5_000 }).toBe(200);
  });

  it('may ask for the headers alone', async () => {
    const { status, headers, text } = await fixture.http('HEAD', path, { headers: authorization() });
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream; charset=utf-8', '']);
  });
});
