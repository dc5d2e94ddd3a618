import type { MongoWrite } from '@mneme/read-models';
import type { Collection } from 'mongodb';
import type { SeenSenderDeliveries, StoredSenderDelivery } from '../delivery/sender-deliveries.ts';
import type { DeliveryChange, Folded } from './fold.ts';
import type { StoredDelivery, WebhookCollections } from './rows.ts';

type Row = { readonly _id: number | string };

/**
 * The writes that store what events have changed.
 * @param mayBeStored whether new deliveries may be stored already; writing is slower then
 */
export function writesOf(rows: WebhookCollections, folded: Folded, mayBeStored: boolean): MongoWrite[] {
  const add = mayBeStored ? put : insert;
  const writes: MongoWrite[] = [];
  for (const [_id, webhook] of folded.webhooks) {
    writes.push(webhook ? put(rows.webhooks, webhook) : remove(rows.webhooks, { _id }));
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

export function put<R extends Row>(rows: Collection<R>, { _id, ...row }: R): MongoWrite {
  return { name: 'replaceOne', namespace: rows.namespace, filter: { _id }, replacement: row, upsert: true };
}

function deliveryWrites(
  deliveries: Collection<StoredDelivery>,
  _id: number,
  { added, set }: DeliveryChange,
  add: typeof insert,
): MongoWrite[] {
  if (added) return [add(deliveries, { ...added, ...set })];
  if (Object.keys(set).length === 0) return [];
  return [{ name: 'updateOne', namespace: deliveries.namespace, filter: { _id }, update: { $set: set } }];
}

function insert<R extends Row>(rows: Collection<R>, document: R): MongoWrite {
  return { name: 'insertOne', namespace: rows.namespace, document };
}

function remove<R extends Row>(rows: Collection<R>, filter: { _id: Row['_id'] }): MongoWrite {
  return { name: 'deleteOne', namespace: rows.namespace, filter };
}
