import { type MemoryEvent, memoryEvents } from '@mneme/contracts';
import { FencedError, mongoProjection, type Projection } from '@mneme/event-store';
import { indexedText, type LexicalEncoder } from '@mneme/models';
import type { AnyBulkWriteOperation, ClientSession, Collection, Db, MongoClient } from 'mongodb';
import type { MemoryCollections } from '../read-model/collections.ts';
import { memoryReadModel, type ReadModel } from '../read-model/open-read-model.ts';
import type { UnitVectors } from '../vectors/unit-vectors.ts';
import { fold } from './fold.ts';
import { loadWorkingSet, type NewUnit, type WorkingSet } from './working-set.ts';

export interface MemoryProjectionDeps {
  readonly client: MongoClient;
  readonly db: Db;
  /** The version to fill. */
  readonly readModel: ReadModel;
  readonly lexical: LexicalEncoder;
}

/**
 * The read model of the memory area: agents, operations, documents and units in MongoDB, vectors in Qdrant.
 *
 * MongoDB is written in one transaction with the checkpoint. Qdrant is written before it and may therefore hold a unit
 * that MongoDB does not know (yet); whoever searches drops such hits.
 */
export function memoryProjection(deps: MemoryProjectionDeps): Projection<MemoryEvent> {
  const { client, db, readModel } = deps;
  let latest: WorkingSet | undefined;
  const projection = mongoProjection<MemoryEvent, WorkingSet>({
    client,
    db,
    name: memoryReadModel,
    version: readModel.version,
    types: [...memoryEvents.definitions.keys()],
    prepare: async (events) => {
      const set = await loadWorkingSet(readModel.collections, events);
      for (const event of events) fold(set, event);
      latest = set;
      await writeVectors(deps, set, events[0]?.position.sequence ?? 0);
      return set;
    },
    write: (set, session) => writeRows(readModel.collections, set, session),
  });
  return {
    ...projection,
    apply: async (events, advance) => {
      try {
        await projection.apply(events, advance);
      } catch (error) {
        if (error instanceof FencedError && latest) await removeStrangers(readModel, latest);
        throw error;
      }
    },
  };
}

/** Takes back what a projector wrote to Qdrant that another one has overtaken: points of units that are not there (any more). */
async function removeStrangers({ collections, vectors }: ReadModel, { newUnits }: WorkingSet): Promise<void> {
  const ids = [...newUnits.keys()];
  const stored = await collections.units.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  const known = new Set(stored.map(({ _id }) => _id));
  await vectors.remove(ids.filter((id) => !known.has(id)));
}

/** @param firstSequence of the batch; younger units are not touched, another projector may have stored them already. */
async function writeVectors(
  { readModel, lexical }: MemoryProjectionDeps,
  set: WorkingSet,
  firstSequence: number,
): Promise<void> {
  const { collections, vectors } = readModel;
  const replaced = await unitsOfDocuments(collections, set.replacedDocuments, firstSequence);
  await vectors.remove([...set.goneUnits, ...replaced].filter((id) => !set.newUnits.has(id)));
  await vectors.upsert([...set.newUnits.values()].map((unit) => vectorsOf(unit, lexical)));
}

function vectorsOf({ unit, vector }: NewUnit, lexical: LexicalEncoder): UnitVectors {
  const text = indexedText({ text: unit.text, eventDate: unit.eventDate.toISOString() });
  const { _id: id, agentKey, factType } = unit;
  return { id, agentKey, factType, dense: fromBase64(vector), lexical: lexical.document(text) };
}

function fromBase64(vector: string): number[] {
  const bytes = Buffer.from(vector, 'base64');
  return Array.from({ length: bytes.byteLength / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

async function unitsOfDocuments(
  { units }: MemoryCollections,
  documentRowIds: ReadonlySet<string>,
  beforeSequence: number,
): Promise<readonly string[]> {
  if (documentRowIds.size === 0) return [];
  const filter = { $or: ofDocuments(documentRowIds), sequence: { $lt: beforeSequence } };
  const rows = await units.find(filter, { projection: { _id: 1 } }).toArray();
  return rows.map(({ _id }) => _id);
}

async function writeRows(collections: MemoryCollections, set: WorkingSet, session: ClientSession): Promise<void> {
  const { units, documents, operations, agents } = collections;
  // One after the other: a session carries one operation at a time.
  await replaceAll(agents, set.agents, session);
  await replaceAll(operations, set.operations, session);
  await replaceAll(documents, set.documents, session);
  const gone = [
    ...ofDocuments(set.replacedDocuments),
    ...(set.goneUnits.size > 0 ? [{ _id: { $in: [...set.goneUnits] } }] : []),
  ];
  if (gone.length > 0) await units.deleteMany({ $or: gone }, { session });
  const rows = [...set.newUnits.values()].map(({ unit }) => unit);
  if (rows.length > 0) await units.insertMany(rows, { session, ordered: false });
}

async function replaceAll<T extends { _id: string }>(
  collection: Collection<T>,
  rows: ReadonlyMap<string, T>,
  session: ClientSession,
): Promise<void> {
  if (rows.size === 0) return;
  const writes = [...rows.values()].map((row) => {
    const { _id, ...replacement } = row;
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
  await collection.bulkWrite(writes as unknown as AnyBulkWriteOperation<T>[], { session, ordered: false });
}

function ofDocuments(rowIds: ReadonlySet<string>): { agentKey: string; documentKey: string }[] {
  return [...rowIds].map((id) => {
    const [agentKey = '', documentKey = ''] = id.split(':');
    return { agentKey, documentKey };
  });
}
