import { type WebhookEventOf, webhookSubjects } from '@mneme/contracts';
import { causedBy, execute, type Recorded } from '@mneme/event-store';
import { deliveriesDecider } from '../delivery/decider.ts';
import type { WebhookDeps } from '../deps.ts';
import { executeOnWebhook } from '../webhook/commands.ts';
import { firstReplayed } from '../webhook-rows/replayed-deliveries.ts';
import { type AwaitedReadModel, awaitApplied } from './await-applied.ts';

export interface ReplayDeps extends Pick<WebhookDeps, 'store' | 'webhookStates' | 'aggregates' | 'rows'> {
  readonly readModel: AwaitedReadModel;
  /** The processing of deliveries. */
  readonly processing: AwaitedReadModel;
}

/** Small enough that new deliveries, which are processed after a batch, need not wait long. */
const batchSize = 500;

/**
 * Queues the deliveries of a replay in batches. Its progress is in the read model, so it goes on from there after a crash. It
 * ends when a newer one replaces it.
 */
export async function whenReplayRequested(
  deps: ReplayDeps,
  event: Recorded<WebhookEventOf<'ReplayRequested'>>,
  signal: AbortSignal,
): Promise<void> {
  const { store, rows } = deps;
  const { webhookId } = event.data;
  const id = event.position.sequence;
  const context = causedBy(event);
  const { readModel, processing } = deps;
  const head = await store.head(webhookSubjects.deliveries(webhookId));
  await awaitApplied(readModel, deps, { webhookId, sequence: Math.max(id, head) });
  for (;;) {
    signal.throwIfAborted();
    const found = await rows().webhooks.findOne({ _id: webhookId });
    const { replay } = found ?? {};
    if (!found || (replay && (replay.id > id || (replay.id === id && replay.isQueued)))) return;
    // Without the request, which was a dead letter and was discarded, nothing is replayed; but no later one waits for it.
    const known = replay?.id === id ? replay : undefined;
    const deliveryIds = known ? await firstReplayed(rows(), { webhookId, ...known }, batchSize) : [];
    if (deliveryIds.length === 0) {
      const command = { type: 'QueueReplay', replay: id, deliveries: known?.queued ?? 0 } as const;
      await executeOnWebhook(deps, webhookId, command, context);
      return;
    }
    const command = { type: 'ReplayDeliveries', webhookId, deliveryIds, replay: id } as const;
    const subject = webhookSubjects.deliveries(webhookId);
    const { revision: sequence } = await execute(store, deliveriesDecider, subject, command, context, {
      history: 'irrelevant',
    });
    await Promise.all([readModel, processing].map((each) => awaitApplied(each, deps, { webhookId, sequence })));
  }
}
