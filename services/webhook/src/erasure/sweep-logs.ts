import type { Collection } from 'mongodb';
import type { StoredCall, WebhookCollections } from '../webhook-rows/rows.ts';

const atOnce = 2_000;

/**
 * Takes out the logs of deleted webhooks, some at a time, since they can be more than one transaction can bear. Nobody
 * finds them before that either. Those that became rows stay, as rows only.
 */
export async function sweepLogs({ pendingDeletions, calls }: WebhookCollections): Promise<void> {
  for (const { _id: webhookId } of await pendingDeletions.find().toArray()) {
    while (await sweepSome(calls, webhookId));
    await pendingDeletions.deleteOne({ _id: webhookId });
  }
}

async function sweepSome(calls: Collection<StoredCall>, webhookId: number): Promise<boolean> {
  const found = await calls
    .find({ webhookId }, { projection: { tableId: 1 } })
    .limit(atOnce)
    .toArray();
  const idsOf = (some: typeof found) => ({ _id: { $in: some.map(({ _id }) => _id) } });
  const logs = found.filter(({ tableId }) => tableId === undefined);
  const rows = found.filter(({ tableId }) => tableId !== undefined);
  if (logs.length > 0) await calls.deleteMany(idsOf(logs));
  if (rows.length > 0) await calls.updateMany(idsOf(rows), { $unset: { webhookId: '' } });
  return found.length > 0;
}
