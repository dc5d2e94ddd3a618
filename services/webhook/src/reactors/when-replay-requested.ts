import type { WebhookEvent, WebhookEventOf, webhookSubjects } from '@mneme/contracts';
import { type EventStore, execute, type Recorded } from '@mneme/event-store';
import type { Follower } from '@mneme/read-models';
import type { Aggregates } from '../aggregates.ts';
import { replayed } from '../read-model/replay-filter.ts';
import { webhookDecider } from '../webhook/decider.ts';
import type { StoredReplay, WebhookCollections } from '../webhook-rows/rows.ts';

export interface ReplayDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly subjects: typeof webhookSubjects;
  readonly readModel: Follower;
  /** The processing of deliveries. */
  readonly work: Follower;
  readonly aggregates: Aggregates;
  readonly rows: () => WebhookCollections;
}

/** So many at once that new calls, which come behind them, need not wait long. */
const atOnce = 500;
const waitMs = 60_000;

/**
 * Asks for the calls of a replay to be worked off, some at a time. How far it is stands in the read model, so that it goes
 * on there after a crash. A newer replay of the webhook ends an older one.
 */
export async function whenReplayRequested(
  deps: ReplayDeps,
  event: Recorded<WebhookEventOf<'ReplayRequested'>>,
  signal: AbortSignal,
): Promise<void> {
  const { store, subjects, rows } = deps;
  const { webhookId } = event.data;
  const id = event.position.sequence;
  const { correlationId } = event;
  const context = { correlationId, causationId: event.id };
  const aggregate = await deps.aggregates.ofWebhook(webhookId);
  await reach(deps.readModel, aggregate, Math.max(id, await store.head(subjects.deliveries(webhookId))));
  for (;;) {
    signal.throwIfAborted();
    const replay = (await rows().webhooks.findOne({ _id: webhookId }))?.replay;
    if (replay?.id !== id || replay.isQueued) return;
    const deliveryIds = await nextDeliveries(rows(), webhookId, replay);
    if (deliveryIds.length === 0) {
      const command = { type: 'QueueReplay', replay: id, calls: replay.queued } as const;
      await execute(store, webhookDecider, subjects.webhook(webhookId), command, context);
      return;
    }
    const events = deliveryIds.map(
      (callId) => ({ type: 'CallReplayed', data: { webhookId, callId, replay: id } }) as const,
    );
    const { sequence } = await store.append(subjects.deliveries(webhookId), events, 'any', context);
    await Promise.all([reach(deps.readModel, aggregate, sequence), reach(deps.work, aggregate, sequence)]);
  }
}

async function nextDeliveries(
  { deliveries }: WebhookCollections,
  webhookId: number,
  replay: StoredReplay,
): Promise<number[]> {
  const found = await deliveries
    .find(replayed(webhookId, replay), { projection: { _id: 1 } })
    .sort({ webhookId: 1, status: 1, _id: 1 })
    .limit(atOnce)
    .toArray();
  return found.map(({ _id }) => _id);
}

async function reach(follower: Follower, aggregate: string, sequence: number): Promise<void> {
  if (!(await follower.await(sequence, waitMs, aggregate))) throw new Error('What follows the event log is behind it');
}
