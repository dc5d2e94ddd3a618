import { webhook, webhookEvents, webhookStream } from '@mneme/contracts';
import { connectEventStore } from '@mneme/event-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayFixture, startGatewayFixture } from '../testing/gateway-fixture.ts';
import { webhookReply } from '../testing/webhook-replies.ts';
import { type TestDeliveryDeps, testDeliveryEndpoints } from './test-delivery.ts';

let fixture: GatewayFixture;
beforeAll(async () => {
  fixture = await startGatewayFixture();
});
afterAll(() => fixture.stop());

it('is one delivery however often its command is performed', async () => {
  const { connection, webhooks } = fixture;
  const known = await webhooks.issue();
  const found = { webhookId: known.id, state: 'active', deduplicate: false };
  const store = connectEventStore({
    connection,
    stream: webhookStream.name,
    catalog: webhookEvents,
    source: 'gateway',
  });
  const deps = {
    send: async (endpoint: unknown) => (endpoint === webhook.getWebhook ? webhookReply : undefined),
    intake: { tokens: { find: async () => found }, rateLimit: { take: () => undefined }, store, bodyLimitBytes: 1_000 },
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
  expect(await webhooks.deliveriesOf(known)).toHaveLength(2);
});
