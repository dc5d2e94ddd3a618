import { randomUUID } from 'node:crypto';
import { webhookEvents, webhookStream, webhookSubjects } from '@mneme/contracts';
import { connectEventStore, formatPosition } from '@mneme/event-store';
import { silentFor } from '@mneme/event-store/testing/slow-connections';
import { closeNats, connectNats, createLogger } from '@mneme/service-kit';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bucketDeps } from '../../testing/bucket-deps.ts';
import { useGateway } from '../../testing/gateway-fixture.ts';
import type { HttpRequest } from '../../testing/http-request.ts';
import type { KnownWebhook } from '../../testing/webhook-records.ts';
import { openSenderDeliveries } from './sender-deliveries.ts';

let otherGateway: HttpRequest;
let webhook: KnownWebhook;

const fixture = useGateway();

beforeAll(async () => {
  ({ http: otherGateway } = await fixture.startAnother({}));
});
beforeEach(async () => {
  webhook = await fixture.webhooks.issue({ deduplicate: true });
});

const send = (headers: Record<string, string>, raw = '{}', http = fixture.http) =>
  http('POST', webhook.path, { raw, headers });
const ids = async () => (await fixture.webhooks.deliveriesOf(webhook)).map(({ attributes }) => attributes.deliveryid);

describe('a webhook that deduplicates', () => {
  it.each(['webhook-id', 'X-GitHub-Delivery', 'Idempotency-Key'])(
    'one that is repeated is answered alike: %s',
    async (name) => {
      const first = await send({ [name]: 'd1' });
      const again = await send({ [name]: 'd1' }, '{"other":"body"}', otherGateway);
      expect([again.status, again.body]).toEqual([200, { message: 'Webhook received' }]);
      expect(again.headers['x-event-position']).toBe(first.headers['x-event-position']);
      expect(await ids()).toEqual(['d1']);
      await send({ [name]: 'd2' });
      expect(await ids()).toEqual(['d1', 'd2']);
    },
  );

  it('records concurrent repeats at two gateways once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const headers = { 'webhook-id': `round ${round}` };
      const tries = Array.from({ length: 10 }, (_, index) =>
        send(headers, '{}', index % 2 ? otherGateway : fixture.http),
      );
      const replies = await Promise.all(tries);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      expect(new Set(replies.map(({ headers: { 'x-event-position': position } }) => position)).size).toBe(1);
    }
    expect(await ids()).toHaveLength(10);
  });

  it('does not take deliveries of another webhook for repeats', async () => {
    const other = await fixture.webhooks.issue({ deduplicate: true });
    await send({ 'webhook-id': 'd1' });
    await fixture.http('POST', other.path, { raw: '{}', headers: { 'webhook-id': 'd1' } });
    expect(await fixture.webhooks.deliveriesOf(other)).toHaveLength(1);
  });

  it('records deliveries without an id each time', async () => {
    await send({});
    await send({ 'webhook-id': '' });
    expect(await ids()).toEqual([undefined, undefined]);
  });

  it('accepts any id that a header can have, also a very long one', async () => {
    const odd = ['a b%20"c', '*.>', 'x'.repeat(255)];
    const long = ['y'.repeat(256), 'y'.repeat(10_000)];
    for (const id of [...odd, ...long, ...odd, ...long]) expect((await send({ 'webhook-id': id })).status).toBe(200);
    const known = await ids();
    expect(known.slice(0, 3)).toEqual(odd);
    expect(known.slice(3)).toEqual([expect.stringMatching(/^sha256:[\da-f]{64}$/), expect.stringMatching(/^sha256:/)]);
  });

  it('does not store the id of a refused delivery', async () => {
    expect((await send({ 'webhook-id': 'd1' }, '{')).status).toBe(400);
    expect((await send({ 'webhook-id': 'd1' })).status).toBe(200);
    expect(await ids()).toEqual(['d1']);
  });
});

it('a webhook that does not deduplicate records each delivery, with its id', async () => {
  await fixture.webhooks.change(webhook, { deduplicate: false });
  await send({ 'webhook-id': 'd1' });
  await send({ 'webhook-id': 'd1' });
  expect(await ids()).toEqual(['d1', 'd1']);
});

describe('a delivery without a position for longer than the log deduplicates event ids', () => {
  const laterBy = (ms: number) => async () => Date.now() + ms;
  const withDeliveries = async (test: (opened: Awaited<ReturnType<typeof open>>) => Promise<void>) => {
    const opened = await open();
    await test(opened).finally(() => closeNats(opened.connection));
  };
  const open = async () => {
    const logger = createLogger({ service: 'test', level: 'silent' });
    const connection = await connectNats({ url: fixture.stack.natsUrl, name: 'deliveries', logger });
    const common = { ...bucketDeps(connection), maxBytes: 2 ** 28 };
    const subject = webhookSubjects.deliveries(webhook.id);
    const store = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source: 'test' });
    const append = async (eventId: string) =>
      formatPosition(
        await store.append(subject, [{ type: 'CallReceived', data: Buffer.from('{}') }], 'any', {
          correlationId: 'c',
          eventId,
        }),
      );
    const ref = { webhookId: webhook.id, senderDeliveryId: 'd1', owner: 'user:1', subject };
    const [now, later] = await Promise.all(
      [0, 110_000].map((ms) => openSenderDeliveries({ ...common, serverTime: laterBy(ms) })),
    );
    return { connection, common, append, ref, now, later } as const;
  };

  it('is found in the log when it was recorded there, and not recorded again', () =>
    withDeliveries(async ({ append, ref, now, later }) => {
      const claimed = await now?.claim(ref);
      for (let others = 0; others < 5; others += 1) await append(randomUUID());
      const position = await append(claimed?.eventId ?? '');
      await append(randomUUID());
      expect(await now?.claim(ref)).toEqual({ ...claimed, position: null });
      expect(await later?.claim(ref)).toEqual({ ...claimed, position });
      expect(await now?.claim(ref)).toEqual({ ...claimed, position });
    }));

  it('is what the server says, whatever the clock of the gateway says', () =>
    withDeliveries(async ({ common, ref }) => {
      const deliveries = await openSenderDeliveries(common);
      const claimed = await deliveries.claim(ref);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60 * 1_000 });
      const again = await deliveries.claim(ref).finally(() => vi.useRealTimers());
      expect(again).toEqual(claimed);
    }));

  it('is looked for in the log when it was stored before the clock of the server was set back', () =>
    withDeliveries(async ({ common, append, ref, now }) => {
      const claimed = await now?.claim(ref);
      const position = await append(claimed?.eventId ?? '');
      const earlier = await openSenderDeliveries({ ...common, serverTime: laterBy(-60 * 60 * 1_000) });
      expect(await earlier.claim(ref)).toEqual({ ...claimed, position });
    }));

  it('is found in the log although the server hands out nothing for a while', () =>
    withDeliveries(async ({ common, append, ref, now }) => {
      const claimed = await now?.claim(ref);
      const position = await append(claimed?.eventId ?? '');
      const connection = silentFor(common.connection, 1_500);
      const later = await openSenderDeliveries({ ...common, connection, serverTime: laterBy(110_000) });
      expect(await later.claim(ref)).toEqual({ ...claimed, position });
    }));

  it('gets 503 when the bucket is full', () =>
    withDeliveries(async ({ common, ref }) => {
      const small = await openSenderDeliveries({ ...common, maxBytes: 20_000 });
      const claims = Array.from({ length: 200 }, (_, index) => small.claim({ ...ref, senderDeliveryId: `d${index}` }));
      const refused = (await Promise.allSettled(claims)).filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      for (const { reason } of refused as PromiseRejectedResult[]) {
        expect(reason).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      }
    }));

  it('gets 503 when its owner has filled most of the bucket, and those of other owners still have room', () =>
    withDeliveries(async ({ common, ref }) => {
      const small = await openSenderDeliveries({ ...common, maxBytes: 200_000 });
      const claim = (index: number) => small.claim({ ...ref, senderDeliveryId: `d${index}` });
      const fill = async (count: number): Promise<void> => {
        await claim(count);
        return fill(count + 1);
      };
      await expect(fill(0)).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      expect(await claim(0)).toMatchObject({ position: null });
      await expect(small.claim({ ...ref, senderDeliveryId: 'other', owner: 'user:2' })).resolves.toBeDefined();
    }));

  it('is recorded under a new event id when it is not in the log', () =>
    withDeliveries(async ({ append, ref, now, later }) => {
      const claimed = await now?.claim(ref);
      await append(randomUUID());
      const renewed = await later?.claim(ref);
      expect(renewed).toEqual({ eventId: expect.any(String), position: null });
      expect(renewed?.eventId).not.toBe(claimed?.eventId);
      expect(await now?.claim(ref)).toEqual(renewed);
    }));
});
