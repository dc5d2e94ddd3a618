import type { Logger } from '@mneme/service-kit';
import { sleep } from '@mneme/workers/waits';
import type { Collection } from 'mongodb';
import type { StoredDelivery, WebhookCollections } from './rows.ts';
import type { StoredSenderDelivery } from './sender-deliveries.ts';

const batchSize = 2_000;
const everyMs = 30_000;

/**
 * Removes the logs of deleted webhooks, which are not found any more, in batches, because one transaction could not hold
 * them all. Deliveries that became rows stay as rows.
 * @param versions the rows of every version of the read model: the previous one is kept up to date for a while
 */
export async function removePendingDeletions(versions: readonly WebhookCollections[]): Promise<void> {
  for (const { pendingDeletions, deliveries, senderDeliveries } of versions) {
    for (const { _id: webhookId } of await pendingDeletions.find().toArray()) {
      while (await removeBatch(deliveries, webhookId));
      await removeSenderDeliveries(senderDeliveries, webhookId);
      await pendingDeletions.deleteOne({ _id: webhookId });
    }
  }
}

/** Removes the senders' delivery ids of a deleted webhook; no later delivery makes them expire. */
export async function removeSenderDeliveries(
  senderDeliveries: Collection<StoredSenderDelivery>,
  webhookId: number,
): Promise<void> {
  for (;;) {
    const found = await senderDeliveries
      .find({ webhookId }, { projection: { _id: 1 } })
      .limit(batchSize)
      .toArray();
    if (found.length === 0) return;
    await senderDeliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  }
}

/**
 * Removes pending deletions from time to time: a version of the read model that was built while a webhook was being erased
 * has some of its logs again.
 */
export function keepRemovingPendingDeletions(
  versions: () => readonly WebhookCollections[],
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const removing = (async () => {
    while (!signal.aborted) {
      await sleep(everyMs, signal);
      if (signal.aborted) return;
      try {
        await removePendingDeletions(versions());
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
