import type { Logger } from '@mneme/service-kit';
import { sleep } from '@mneme/workers/waits';
import type { Collection } from 'mongodb';
import type { StoredDelivery, WebhookCollections } from './rows.ts';

const batchSize = 2_000;
const everyMs = 30_000;

/**
 * Removes the logs of deleted webhooks, which are not found any more, in batches, because one transaction could not hold
 * them all. Deliveries that became rows stay as rows.
 */
export async function removePendingDeletions({ pendingDeletions, deliveries }: WebhookCollections): Promise<void> {
  for (const { _id: webhookId } of await pendingDeletions.find().toArray()) {
    while (await removeBatch(deliveries, webhookId));
    await pendingDeletions.deleteOne({ _id: webhookId });
  }
}

/**
 * Removes pending deletions from time to time: a version of the read model that was built while a webhook was being erased
 * has some of its logs again.
 */
export function keepRemovingPendingDeletions(
  rows: () => WebhookCollections,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const removing = (async () => {
    while (!signal.aborted) {
      await sleep(everyMs, signal);
      if (signal.aborted) return;
      try {
        await removePendingDeletions(rows());
      } catch (error) {
        logger.warn({ err: error }, 'The logs of deleted webhooks could not be removed');
      }
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await removing;
    },
  };
}

/** @returns whether there may be more */
async function removeBatch(deliveries: Collection<StoredDelivery>, webhookId: number): Promise<boolean> {
  const found = await deliveries
    .find({ webhookId }, { projection: { tableId: 1 } })
    .limit(batchSize)
    .toArray();
  const idsOf = (some: typeof found) => ({ _id: { $in: some.map(({ _id }) => _id) } });
  const logs = found.filter(({ tableId }) => tableId === undefined);
  const rows = found.filter(({ tableId }) => tableId !== undefined);
  if (logs.length > 0) await deliveries.deleteMany(idsOf(logs));
  if (rows.length > 0) await deliveries.updateMany(idsOf(rows), { $unset: { webhookId: '' } });
  return found.length > 0;
}
