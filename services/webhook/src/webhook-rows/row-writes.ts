import { insert, type MongoWrite, put, remove, set } from '@mneme/read-models';
import type { Collection } from 'mongodb';
import type { DeliveryChange, Folded } from './fold.ts';
import type { StoredDelivery, WebhookCollections } from './rows.ts';
import type { SeenSenderDeliveries, StoredSenderDelivery } from './sender-deliveries.ts';

/**
 * The writes that store what events have changed.
 * @param mayBeStored whether new deliveries may be stored already; writing is slower then
 */
export function writesOf(rows: WebhookCollections, folded: Folded, mayBeStored: boolean): MongoWrite[] {
  const add = mayBeStored ? put : insert;
  const writes: MongoWrite[] = [];
  for (const [_id, webhook] of folded.webhooks) {
    writes.push(webhook ? put(rows.webhooks, webhook) : remove(rows.webhooks, _id));
  }
  for (const table of folded.tables.values()) writes.push(put(rows.tables, table));
  for (const [_id, change] of folded.deliveries) writes.push(...deliveryWrites(rows.deliveries, _id, change, add));
  for (const _id of folded.deleted) writes.push(put(rows.pendingDeletions, { _id }));
  return [...writes, ...senderDeliveryWrites(rows.senderDeliveries, folded.senderDeliveries)];
}

/** Stores senders' delivery ids, and deletes old ones of the same webhooks only: those of others may lag behind. */
export function senderDeliveryWrites(
  rows: Collection<StoredSenderDelivery>,
  { added, expired }: SeenSenderDeliveries,
): MongoWrite[] {
  const writes: MongoWrite[] = [...added.values()].map((delivery) => put(rows, delivery));
  if (!expired) return writes;
  const filter = { webhookId: { $in: expired.webhookIds }, at: { $lt: expired.before } };
  return [...writes, { name: 'deleteMany', namespace: rows.namespace, filter }];
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
