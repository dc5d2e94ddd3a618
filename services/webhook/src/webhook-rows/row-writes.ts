import { insert, type MongoWrite, put, remove, set } from '@mneme/read-models';
import type { Collection } from 'mongodb';
import type { DeliveryChange, Folded } from './fold.ts';
import type { StoredDelivery, WebhookCollections } from './rows.ts';
import type { SeenSenderDeliveries, StoredSenderDelivery } from './sender-deliveries.ts';

/**
 * The writes that store what events have changed.
 * @param mayBeStored whether new deliveries may be stored already; writing is slower then
 */
export async function writesOf(rows: WebhookCollections, folded: Folded, mayBeStored: boolean): Promise<MongoWrite[]> {
  const add = mayBeStored ? put : insert;
  const writes: MongoWrite[] = [];
  for (const [_id, webhook] of folded.webhooks) {
    writes.push(webhook ? put(rows.webhooks, webhook) : remove(rows.webhooks, _id));
  }
  for (const table of folded.tables.values()) writes.push(put(rows.tables, table));
  for (const [_id, change] of folded.deliveries) writes.push(...deliveryWrites(rows.deliveries, _id, change, add));
  for (const _id of folded.deleted) writes.push(put(rows.pendingDeletions, { _id }));
  return [...writes, ...(await senderDeliveryWrites(rows.senderDeliveries, folded.senderDeliveries))];
}

/** More ids than this are not deleted with one batch, beside twice as many as it adds: millions may expire at once. */
const expiredAtOnce = 1_000;

/** Stores senders' delivery ids, and deletes old ones of each webhook by its own newest: those of others may lag behind. */
export async function senderDeliveryWrites(
  rows: Collection<StoredSenderDelivery>,
  { added, expired }: SeenSenderDeliveries,
): Promise<MongoWrite[]> {
  if (added.size === 0) return [];
  const puts = [...added.values()].map((delivery) => put(rows, delivery));
  const ofWebhook = [...expired].map(([webhookId, { from, before }]) => ({
    webhookId,
    at: { $gte: from, $lt: before },
  }));
  const found = await rows
    .find({ $or: ofWebhook }, { projection: { _id: 1 } })
    .limit(expiredAtOnce + 2 * added.size)
    .toArray();
  // One of them may just have come again.
  const old = found.map(({ _id }) => _id).filter((_id) => !added.has(_id));
  if (old.length === 0) return puts;
  return [...puts, { name: 'deleteMany', namespace: rows.namespace, filter: { _id: { $in: old } } }];
}

function deliveryWrites(
  deliveries: Collection<StoredDelivery>,
  _id: number,
  { added, set: fields }: DeliveryChange,
  add: typeof insert,
): MongoWrite[] {
  if (added) return [add(deliveries, { ...added, ...fields })];
  return Object.keys(fields).length === 0 ? [] : [set(deliveries, _id, fields)];
}
