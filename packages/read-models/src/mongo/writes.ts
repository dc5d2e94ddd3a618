import type { Collection, Document } from 'mongodb';
import type { MongoWrite } from './mongo-store.ts';

type Id = number | string;
type Row = Document & { readonly _id: Id };

/** Writes a row, in place of the one that is there. */
export function put<R extends Row>(rows: Collection<R>, { _id, ...row }: R): MongoWrite {
  return { name: 'replaceOne', namespace: rows.namespace, filter: { _id }, replacement: row, upsert: true };
}

/** Adds a row that is not there; faster than `put`. */
export function insert<R extends Row>(rows: Collection<R>, document: R): MongoWrite {
  return { name: 'insertOne', namespace: rows.namespace, document };
}

/** Changes fields of a row, if it is there. */
export function set<R extends Row>(rows: Collection<R>, _id: R['_id'], fields: Partial<R>): MongoWrite {
  return { name: 'updateOne', namespace: rows.namespace, filter: { _id }, update: { $set: fields } };
}

export function remove<R extends Row>(rows: Collection<R>, _id: R['_id']): MongoWrite {
  return { name: 'deleteOne', namespace: rows.namespace, filter: { _id } };
}
