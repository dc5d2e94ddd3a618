import type { DomainEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { ClientBulkWriteModel, ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import type { ReadModelStore } from '../definition.ts';
import { combined } from './combined.ts';
import { sessionsCollection } from './sessions.ts';

/** The collections of one version of a read model, by any names. */
// biome-ignore lint/suspicious/noExplicitAny: what the rows are is for the projection and the queries to know.
export type Collections<C> = { readonly [K in keyof C]: Collection<any> };

type Row = Document & { readonly _id: number | string };

/** A write to any collection. */
export type MongoWrite = ClientBulkWriteModel<Record<string, Row>>;

export interface MongoStoreOptions<E extends DomainEvent, C extends Collections<C>> {
  readonly client: MongoClient;
  readonly db: Db;
  readonly collections: C;
  /** Makes what the queries rely on. */
  readonly createIndexes: () => Promise<void>;
  /** What follows from events, given in the order of the log. Called again when a batch has to be repeated. */
  readonly writesOf: (events: readonly Recorded<E>[]) => readonly MongoWrite[] | Promise<readonly MongoWrite[]>;
  /** Told of a write that has failed, before the batch is tried again. */
  readonly onWriteError?: (error: unknown) => void;
}

/** Keeps a version of a read model in MongoDB alone; a batch is one transaction. */
export function mongoStore<E extends DomainEvent, C extends Collections<C>>(
  options: MongoStoreOptions<E, C>,
): ReadModelStore<E, C> {
  const { client, db, collections, createIndexes, writesOf, onWriteError } = options;
  const all = Object.values(collections) as Collection[];
  const names = all.map(({ collectionName }) => collectionName);
  const drop = async () => {
    for (const collection of all) await collection.drop();
  };
  const write = async (writes: readonly MongoWrite[], session: ClientSession) => {
    if (writes.length === 0) return;
    await client.bulkWrite<Record<string, Row>>(writes, { session, ordered: true }).catch((error: unknown) => {
      onWriteError?.(error);
      throw error;
    });
  };
  return {
    contents: collections,
    create: async () => {
      await drop();
      // None is to be made within a transaction.
      for (const name of names) await db.createCollection(name);
      await createIndexes();
    },
    createIndexes,
    identity: () => mongoIdentity(db, names),
    apply: async ({ events }, commit) => {
      const writes = await writesOf(events);
      await commit(Number.POSITIVE_INFINITY, (session) => write(writes, session));
    },
    acceptsWrites: () => acceptsMongoWrites(db),
    count: async () => {
      // From the metadata: counting each row of a large collection takes longer than an answer is waited for.
      const counts = await Promise.all(all.map((collection) => collection.estimatedDocumentCount()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    drop,
  };
}

/** Whether MongoDB takes writes: asks for one that matches nothing, which only a primary carries out. */
export async function acceptsMongoWrites(db: Db): Promise<boolean> {
  await db.collection<{ _id: string }>(sessionsCollection).deleteOne({ _id: { $in: [] } }, { writeConcern: { w: 1 } });
  return true;
}

/** Names collections with the UUIDs that MongoDB gave them when they were made; those that do not exist are missing. */
export async function mongoIdentity(db: Db, names: readonly string[]): Promise<Record<string, string>> {
  const ids = await idsOf(db, names);
  return Object.fromEntries(ids.map(([name, id]) => [`collection ${name}`, id]));
}

const idsOf = combined(async (db, asked: readonly (readonly string[])[]) => {
  const found = await db.listCollections({ name: { $in: [...new Set(asked.flat())] } }).toArray();
  const ids = found.map((collection): [name: string, id: string] => {
    const { name, info } = collection as { name: string; info?: { uuid?: { toString(encoding?: string): string } } };
    return [name, info?.uuid?.toString('hex') ?? ''];
  });
  return asked.map((names) => ids.filter(([name]) => names.includes(name)));
});
