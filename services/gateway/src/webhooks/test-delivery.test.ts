import { webhook, webhookEvents, webhookStream } from '@mneme/contracts';
import { connectEventStore, type EventStore } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { useGateway } from '../testing/gateway-fixture.ts';
import { jwtSecret, userToken } from '../testing/tokens.ts';
import type { KnownWebhook } from '../testing/webhook-records.ts';
import { webhookReply } from '../testing/webhook-replies.ts';
import { openSenderDeliveries } from './intake/sender-deliveries.ts';
import { type TestDeliveryDeps, testDeliveryEndpoints } from './test-delivery.ts';

const fixture = useGateway({ JWT_SECRET: jwtSecret });

const payloadsOf = async (known: KnownWebhook) =>
  (await fixture.webhooks.deliveriesOf(known)).map(({ data }) => Buffer.from(data as Uint8Array).toString());

const send = (raw: string, token: string) => {
  fixture.services.answer(webhook.getWebhook, () => ({ ...webhookReply, token }));
  const headers = { authorization: `Bearer ${userToken(7)}`, 'content-type': 'application/json' };
  return fixture.http('POST', '/api/v3/webhooks/3/test', { raw, headers });
};

it('is one delivery however often its command is performed, also after the log has forgotten the id of its event', async () => {
  const { connection, webhooks } = fixture;
  const known = await webhooks.issue();
  const found = { webhookId: known.id, state: 'active', deduplicate: false };
  const store = connectEventStore({
    connection,
    stream: webhookStream.name,
    catalog: webhookEvents,
    source: 'gateway',
  });
  const append: typeof store.append = (subject, events, expected, { eventId: _forgotten, ...context }) =>
    store.append(subject, events, expected, context);
  const senderDeliveries = await openSenderDeliveries({ ...bucketDeps(connection), maxBytes: 256 * 1024 * 1024 });
  const intake = {
    tokens: { find: async () => found },
    rateLimit: { assertLeft: () => undefined, take: () => undefined },
    store: { append } as EventStore<never>,
    senderDeliveries,
    maxEventBytes: () => 1_000,
    bodyLimitBytes: 1_000,
  };
  const deps = {
    send: async (endpoint: unknown) => (endpoint === webhook.getWebhook ? webhookReply : undefined),
    intake,
  } as unknown as TestDeliveryDeps;
  const { testWebhook } = testDeliveryEndpoints(deps);
  const perform = (commandId: string) =>
    testWebhook({ path: { id: known.id }, query: undefined as never, body: {} }, {
      caller: { userId: 7 },
      requestId: 'r',
      commandId,
    } as unknown as Parameters<typeof testWebhook>[1]);
  const first = await perform('c1');
  expect(await perform('c1')).toEqual(first);
  expect(await webhooks.deliveriesOf(known)).toHaveLength(1);
  await perform('c2');
  const deliveries = await webhooks.deliveriesOf(known);
  expect(deliveries).toHaveLength(2);
  expect(deliveries.map(({ attributes }) => attributes.deliveryid)).toEqual([undefined, undefined]);
});

it.each(['null', '{"n":9007199254740993,"m":1.10}', '[ 1e400,\n"ü\\u00e9" ]', '"text"', 'false'])(
  'has the given payload, byte for byte: %s',
  async (payload) => {
    const known = await fixture.webhooks.issue();
    expect((await send(`{ "payload" :\n ${payload}\t}`, known.token)).status).toBe(200);
    expect(await payloadsOf(known)).toEqual([payload]);
  },
);

it.each(['{}', ''])('has an example as its payload unless one is given: %j', async (raw) => {
  const known = await fixture.webhooks.issue();
  expect((await send(raw, known.token)).status).toBe(200);
  const [payload = ''] = await payloadsOf(known);
  expect(JSON.parse(payload)).toEqual({ test: true, message: 'A test delivery', sent_at: expect.any(String) });
});

it('is 409 when the token of the webhook cannot be decrypted', async () => {
  const { status, body } = await send('{}', '');
  expect([status, body.code]).toEqual([409, 'CONFLICT']);
  expect(body.message).toBe('The token of the webhook cannot be decrypted; create a new webhook');
});
