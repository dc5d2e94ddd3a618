import type { ClientBulkWriteModel, Collection, Document } from 'mongodb';
import type { StoredCall, WebhookCollections } from './collections.ts';
import type { CallChange, Folded } from './fold.ts';

type Row = { readonly _id: number | string };
/** To whichever collection. */
export type Write = ClientBulkWriteModel<Record<string, Row & Document>>;

/** Delivery ids are kept for two days: for one they count, and clocks of gateways may differ. */
const keepDeliveriesMs = 2 * 24 * 60 * 60 * 1_000;

/**
 * The writes that bring the rows to what events have made of them.
 * @param mayBeThere whether calls that are new by the events may have rows; writing is slower then.
 */
export function writesOf(rows: WebhookCollections, folded: Folded, mayBeThere: boolean): Write[] {
  const add = mayBeThere ? put : insert;
  const writes: Write[] = [];
  for (const [_id, webhook] of folded.webhooks) {
    writes.push(webhook ? put(rows.webhooks, webhook) : remove(rows.webhooks, { _id }));
  }
  for (const table of folded.tables.values()) writes.push(put(rows.tables, table));
  for (const [_id, change] of folded.calls) writes.push(...callWrites(rows.calls, _id, change, add));
  for (const _id of folded.deleted) writes.push(put(rows.leavings, { _id }));
  for (const [_id, at] of folded.deliveries) writes.push(put(rows.deliveries, { _id, at }));
  const newest = Math.max(...[...folded.deliveries.values()].map(Number));
  if (folded.deliveries.size > 0) writes.push(removeAll(rows.deliveries, new Date(newest - keepDeliveriesMs)));
  return writes;
}

function callWrites(
  calls: Collection<StoredCall>,
  _id: number,
  { added, set }: CallChange,
  add: typeof insert,
): Write[] {
  if (added) return [add(calls, { ...added, ...set })];
  if (Object.keys(set).length === 0) return [];
  return [{ name: 'updateOne', namespace: calls.namespace, filter: { _id }, update: { $set: set } }];
}

function insert<R extends Row>(rows: Collection<R>, document: R): Write {
  return { name: 'insertOne', namespace: rows.namespace, document };
}

function put<R extends Row>(rows: Collection<R>, { _id, ...row }: R): Write {
  return { name: 'replaceOne', namespace: rows.namespace, filter: { _id }, replacement: row, upsert: true };
}

function remove<R extends Row>(rows: Collection<R>, filter: { _id: Row['_id'] }): Write {
  return { name: 'deleteOne', namespace: rows.namespace, filter };
}

function removeAll<R extends Row>(rows: Collection<R>, before: Date): Write {
  return { name: 'deleteMany', namespace: rows.namespace, filter: { at: { $lt: before } } };
}
