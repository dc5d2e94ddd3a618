import { type AnyClientBulkWriteModel, Binary, type ClientSession, type Collection, type MongoClient } from 'mongodb';
import { type LinkCountChanges, linkCountChanges } from '../links/link-counts.ts';
import type { MemoryCollections, StoredUnit } from '../read-model/rows.ts';
import type { NewUnit, WorkingSet } from '../read-model/working-set.ts';
import { chunks } from './chunks.ts';
import type { Derived } from './derive.ts';

/** As far as the rows of all collections are alike. */
interface Row {
  readonly _id: string;
  readonly [field: string]: unknown;
}

type RowWrite = AnyClientBulkWriteModel<Row> & { namespace: string };

/** So many writes are encoded before others get their turn; about 15 ms. */
const writesAtOnce = 500;

/** Writes what follows from a batch of events, in the transaction of the session; what is not much in one round trip. */
export async function writeRows(
  client: MongoClient,
  collections: MemoryCollections,
  { set, derived }: { readonly set: WorkingSet; readonly derived: Derived },
  session: ClientSession,
): Promise<void> {
  const { agents, operations, documents } = collections;
  const counts = await linkCountChanges(collections, derived.links, set.goneUnits, session);
  // In this order: what is to go goes before anything is inserted.
  const writes: RowWrite[] = [
    ...removals(collections, set),
    ...replacements(agents, set.agents),
    ...replacements(operations, set.operations),
    ...replacements(documents, set.documents),
    ...insertions(collections, set, derived),
    ...countUpdates(collections, counts),
  ];
  for (const some of chunks(writes, writesAtOnce)) {
    await client.bulkWrite<Record<string, Row>>(some, { session, ordered: true });
  }
}

function removals({ units, links, entities }: MemoryCollections, { goneUnits }: WorkingSet): RowWrite[] {
  if (goneUnits.size === 0) return [];
  const gone = { $in: [...goneUnits] };
  return [
    { name: 'deleteMany', namespace: units.namespace, filter: { _id: gone } },
    { name: 'deleteMany', namespace: links.namespace, filter: { $or: [{ from: gone }, { to: gone }] } },
    {
      name: 'updateMany',
      namespace: entities.namespace,
      filter: { recentUnits: gone },
      update: { $pull: { recentUnits: gone } },
    } as unknown as RowWrite,
  ];
}

function insertions(
  { units, links, entities }: MemoryCollections,
  { newUnits, confidences }: WorkingSet,
  derived: Derived,
): RowWrite[] {
  const insert = (namespace: string, document: object): RowWrite => ({
    name: 'insertOne',
    namespace,
    document: { ...document } as Row,
  });
  return [
    ...[...newUnits.values()].map((each) => insert(units.namespace, storedUnit(each))),
    ...[...derived.repetitions].map(([_id, count]) => {
      const write = {
        name: 'updateOne',
        namespace: units.namespace,
        filter: { _id },
        update: { $inc: { mentions: count } },
      };
      return write as unknown as RowWrite;
    }),
    ...[...confidences].map(([_id, confidence]) => {
      const write = {
        name: 'updateOne',
        namespace: units.namespace,
        filter: { _id },
        update: { $set: { confidence } },
      };
      return write as unknown as RowWrite;
    }),
    ...derived.links.map((link) => insert(links.namespace, link)),
    ...replacements(entities, derived.entities.changed),
  ];
}

function countUpdates({ linkCounts }: MemoryCollections, changes: LinkCountChanges): RowWrite[] {
  return [...changes].map(([_id, counts]) => {
    const write = {
      name: 'updateOne',
      namespace: linkCounts.namespace,
      filter: { _id },
      update: { $inc: counts },
      upsert: true,
    };
    return write as unknown as RowWrite;
  });
}

function storedUnit({ unit, vector }: NewUnit): StoredUnit {
  return { ...unit, vector: new Binary(Buffer.from(vector, 'base64')) };
}

function replacements<T extends { _id: string }>(
  { namespace }: Collection<T>,
  rows: ReadonlyMap<string, T>,
): RowWrite[] {
  return [...rows.values()].map(({ _id, ...replacement }) => {
    return { name: 'replaceOne', namespace, filter: { _id }, replacement, upsert: true };
  });
}
