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

/** Stores senders' delivery ids, and deletes old ones of each webhook by its own newest: those of others may lag behind. */
export function senderDeliveryWrites(
  rows: Collection<StoredSenderDelivery>,
  { added, expired }: SeenSenderDeliveries,
): MongoWrite[] {
  const { namespace } = rows;
  const puts = [...added.values()].map((delivery) => put(rows, delivery));
  const deletions = [...expired].map(
    ([webhookId, { from, before }]): MongoWrite => ({
      name: 'deleteMany',
      namespace,
      filter: { webhookId, at: { $gte: from, $lt: before } },
    }),
  );
  return [...puts, ...deletions];
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
