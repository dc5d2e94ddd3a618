import type { WebhookEvent, webhookSubjects } from '@mneme/contracts';
import type { Eraser, EventStore } from '@mneme/event-store';
import { webhookOfCall } from '../read-model/touched.ts';
import type { CallEvent } from './find-work.ts';

export interface StrayDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly subjects: typeof webhookSubjects;
  readonly eraser: Pick<Eraser, 'erase'>;
}

/**
 * Erases calls of deleted webhooks: a gateway may have let one in just before it knew of the end.
 * @param strays calls whose webhook the read model lacks. That it is deleted only the log can say; others are not erased.
 */
export async function eraseStrays({ store, subjects, eraser }: StrayDeps, strays: readonly CallEvent[]): Promise<void> {
  for (const [webhookId, events] of Map.groupBy(strays, webhookOfCall)) {
    const { events: history } = await store.load(subjects.webhook(webhookId));
    if (!history.some(({ type }) => type === 'WebhookDeleted')) continue;
    const sequences = events.map(({ position }) => position.sequence);
    await eraser.erase(sequences, { atOnce: 1 });
  }
}
