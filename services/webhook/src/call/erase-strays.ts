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
    const end = history.find(({ type }) => type === 'WebhookDeleted');
    // What came before the end is erased with its logs, once the rows that it became are kept.
    const late = events.filter(({ position }) => end && position.sequence > end.position.sequence);
    if (late.length === 0) continue;
    const sequences = late.map(({ position }) => position.sequence);
    await eraser.erase(sequences, { atOnce: 1 });
  }
}
