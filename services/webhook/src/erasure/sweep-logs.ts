import type { Collection } from 'mongodb';
import type { StoredDelivery, WebhookCollections } from '../webhook-rows/rows.ts';

const atOnce = 2_000;

/**
 * Takes out the logs of deleted webhooks, some at a time, since they can be more than one transaction can bear. Nobody
 * finds them before that either. Those that became rows stay, as rows only.
 */
export async function sweepLogs({ pendingDeletions, deliveries }: WebhookCollections): Promise<void> {
  for (const { _id: webhookId } of await pendingDeletions.find().toArray()) {
    while (await sweepSome(deliveries, webhookId));
    await pendingDeletions.deleteOne({ _id: webhookId });
  }
}

async function sweepSome(deliveries: Collection<StoredDelivery>, webhookId: number): Promise<boolean> {
  const found = await deliveries
    .find({ webhookId }, { projection: { tableId: 1 } })
    .limit(atOnce)
    .toArray();
  const idsOf = (some: typeof found) => ({ _id: { $in: some.map(({ _id }) => _id) } });
  const logs = found.filter(({ tableId }) => tableId === undefined);
  const rows = found.filter(({ tableId }) => tableId !== undefined);
  if (logs.length > 0) await deliveries.deleteMany(idsOf(logs));
  if (rows.length > 0) await deliveries.updateMany(idsOf(rows), { $unset: { webhookId: '' } });
  return found.length > 0;
}
