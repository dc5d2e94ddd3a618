import type { WebhookEvent, webhookSubjects } from '@mneme/contracts';
import type { Eraser, EventStore } from '@mneme/event-store';
import type { WebhookCollections } from '../read-model/collections.ts';
import { webhookOfCall } from '../read-model/touched.ts';
import type { CallEvent } from './find-work.ts';

export interface StrayDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly subjects: typeof webhookSubjects;
  readonly eraser: Pick<Eraser, 'erase'>;
  readonly rows: () => WebhookCollections;
}

/**
 * Erases calls of deleted webhooks: a gateway may have let one in just before it knew of the end. That a webhook is
 * deleted only the log can say; what the read model lacks is not erased for that.
 */
export async function eraseStrays(
  { store, subjects, eraser, rows }: StrayDeps,
  events: readonly CallEvent[],
): Promise<void> {
  const ids = [...new Set(events.map(webhookOfCall))];
  const there = await rows()
    .webhooks.find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(there.map(({ _id }) => _id));
  for (const webhookId of ids.filter((id) => !known.has(id))) {
    const { events: history } = await store.load(subjects.webhook(webhookId));
    if (!history.some(({ type }) => type === 'WebhookDeleted')) continue;
    const strays = events.filter((event) => webhookOfCall(event) === webhookId);
    await eraser.erase(
      strays.map(({ position }) => position.sequence),
      { atOnce: 1 },
    );
  }
}
