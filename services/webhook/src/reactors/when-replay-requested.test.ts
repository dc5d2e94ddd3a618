import { type WebhookEventOf, webhookSubjects } from '@mneme/contracts';
import { createStateCache, type Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { createAggregates } from '../aggregates.ts';
import { useWebhookFixture } from '../testing/webhook-fixture.ts';
import { executeOnWebhook } from '../webhook/commands.ts';
import { sizeOfWebhook } from '../webhook/decider.ts';
import { webhookCollections } from '../webhook-rows/rows.ts';
import { whenReplayRequested } from './when-replay-requested.ts';

const fixture = useWebhookFixture();
const context = { correlationId: 'test' };
const always = { name: 'any', await: async () => true };

it('a replay whose request was discarded ends without deliveries, and holds up no later one', async () => {
  const service = await fixture.start();
  const { userId, webhookId } = await fixture.withWebhook();
  const upTo = await fixture.receive(webhookId, '{"n":1}');
  expect(await fixture.logsOf(userId, webhookId)).toHaveLength(1);
  // From here on the read model applies nothing, as after a request that was discarded.
  await service.stop();
  const replay = { webhookId, status: 'processed', since: null, upTo, calls: 1, commandId: 'first' } as const;
  const { store, connection } = fixture;
  const deps = {
    store,
    webhookStates: createStateCache({ sizeOf: sizeOfWebhook }),
    aggregates: createAggregates(connection),
    rows: () => webhookCollections(fixture.db, 1),
    readModel: always,
    processing: always,
  };
  const request = (commandId: string) =>
    executeOnWebhook(
      deps,
      webhookId,
      { type: 'RequestReplay', replay: { ...replay, commandId }, isReplacing: false },
      context,
    );
  await request('first');
  await expect(request('second')).rejects.toMatchObject({ code: 'replay-under-way' });

  const requested = (await store.load(webhookSubjects.webhook(webhookId))).events.at(-1);
  await whenReplayRequested(
    deps,
    requested as Recorded<WebhookEventOf<'ReplayRequested'>>,
    new AbortController().signal,
  );
  const last = (await store.load(webhookSubjects.webhook(webhookId))).events.at(-1);
  expect(last).toMatchObject({ type: 'ReplayQueued', data: { replay: requested?.position.sequence, calls: 0 } });
  const deliveries = (await store.load(webhookSubjects.deliveries(webhookId))).events;
  expect(deliveries.map(({ type }) => type)).not.toContain('CallReplayed');
  await request('second');
});
