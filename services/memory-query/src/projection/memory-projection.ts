import { type MemoryEvent, memoryEvents } from '@mneme/contracts';
import { FencedError, mongoProjection, type Projection, type Recorded } from '@mneme/event-store';
import type { LexicalEncoder } from '@mneme/models';
import type { Db, MongoClient } from 'mongodb';
import type { OwnVectors } from '../embedding/own-vectors.ts';
import type { MemoryCollections, StoredOperation } from '../read-model/collections.ts';
import { memoryReadModel, type ReadModel } from '../read-model/open-read-model.ts';
import { lexicalText } from '../units/lexical-text.ts';
import type { UnitVectors } from '../vectors/unit-vectors.ts';
import { type Derived, derive } from './derive.ts';
import { fold } from './fold.ts';
import { forgetAgents, forgetUnits, unitsWhileOthersWait } from './forget-agents.ts';
import { RecentRows } from './recent-rows.ts';
import { type Segment, segmentsOf, storedBy } from './segments.ts';
import { UnfinishedErasures } from './unfinished-erasures.ts';
import { loadWorkingSet, type NewUnit, type WorkingSet } from './working-set.ts';
import { ofDocuments, writeRows } from './write-rows.ts';

export interface MemoryProjectionDeps {
  readonly client: MongoClient;
  readonly db: Db;
  /** The version to fill. */
  readonly readModel: ReadModel;
  readonly lexical: LexicalEncoder;
  /** Gives events the vectors of the model that the version is of; as they are unless given. */
  readonly ownVectors?: OwnVectors;
  /** Is told what was written of operations, and how far the read model is with it. */
  readonly onApplied?: (operations: Iterable<StoredOperation>, position: number) => void;
}

/** What a batch of events comes to. */
interface Plan {
  /** Of the first event. */
  readonly sequence: number;
  readonly set: WorkingSet;
  /** Whether units of agents that are erased are left for later. */
  readonly hasErasedUnits: boolean;
  readonly derived: Derived;
  /** Settles when Qdrant has everything. */
  readonly vectors: Promise<void>;
}

/**
 * The read model of the memory area: agents, operations, documents and units in MongoDB, vectors in Qdrant.
 *
 * MongoDB is written in one transaction with the checkpoint. Qdrant is written meanwhile and has everything before the
 * transaction ends. It may therefore hold a unit that MongoDB does not know (yet); whoever searches drops such hits.
 */
export function memoryProjection(deps: MemoryProjectionDeps): Projection<MemoryEvent> {
  const { client, db, readModel } = deps;
  const recent = new RecentRows();
  const unfinished = new UnfinishedErasures(deps);
  const plans: Plan[] = [];
  const projection = mongoProjection<MemoryEvent, Plan>({
    client,
    db,
    name: memoryReadModel,
    version: readModel.version,
    types: [...memoryEvents.definitions.keys()],
    prepare: async (events) => {
      await unfinished.finishFor(events);
      const plan = await makePlan(deps, events, recent);
      plans.push(plan);
      return plan;
    },
    write: async (plan, session) => {
      await forgetAgents({ db, readModel }, erasureOf(plan), plan.hasErasedUnits, session);
      await writeRows(client, readModel.collections, plan, session);
      await plan.vectors;
    },
  });
  const applySegment = async ({ events, advance }: Segment) => {
    try {
      await projection.apply(events, advance);
      for (const { set } of plans) recent.remember(set);
      if (plans.some(({ hasErasedUnits }) => hasErasedUnits)) unfinished.expect();
      const operations = plans.flatMap(({ set }) => [...set.operations.values()]);
      deps.onApplied?.(operations, advance.to);
    } catch (error) {
      recent.forget();
      unfinished.expect();
      for (const plan of plans) await takeBack(readModel, plan, error);
      throw error;
    } finally {
      plans.length = 0;
    }
  };
  return {
    ...projection,
    apply: async (recorded, advance) => {
      const events = (await deps.ownVectors?.(recorded)) ?? recorded;
      if (events.length === 0) return applySegment({ events, advance });
      const stored = await storedDocuments(readModel.collections, events);
      for (const segment of segmentsOf(events, advance, (id) => stored.has(id))) await applySegment(segment);
    },
  };
}

/** Which of the documents that the events store are in the read model. */
async function storedDocuments(
  { documents }: MemoryCollections,
  events: readonly MemoryEvent[],
): Promise<ReadonlySet<string>> {
  const ids = events.map(storedBy).filter((id) => id !== undefined);
  if (ids.length === 0) return new Set();
  const rows = await documents.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  return new Set(rows.map(({ _id }) => _id));
}

/** Folds the events over the rows that they touch, derives what follows, and begins to write the vectors. */
async function makePlan(
  deps: MemoryProjectionDeps,
  events: readonly Recorded<MemoryEvent>[],
  recent: RecentRows,
): Promise<Plan> {
  const { readModel } = deps;
  const set = await loadWorkingSet(readModel.collections, events, recent);
  for (const event of events) fold(set, event);
  const sequence = events[0]?.position.sequence ?? 0;
  const hasErasedUnits = !(await forgetUnits(deps, erasureOf({ sequence, set }), unitsWhileOthersWait));
  await removeGone(readModel, set, sequence);
  const writeVectors = (units: readonly NewUnit[]) =>
    readModel.vectors.upsert(units.map((unit) => vectorsOf(unit, deps.lexical)));
  const derived = await derive(set, { readModel, gone: set.goneUnits, writeVectors });
  const vectors = writeVectors([...set.newUnits.values()]);
  // Awaited by the transaction; until then a failure is not to end the process.
  vectors.catch(() => undefined);
  return { sequence, set, hasErasedUnits, derived, vectors };
}

function erasureOf({ sequence, set }: Pick<Plan, 'sequence' | 'set'>) {
  return { agentKeys: set.erasedAgents, sequence };
}

/** Takes back what a projector wrote to Qdrant that another one has overtaken: points of units that are not there (any more). */
async function takeBack({ collections, vectors }: ReadModel, plan: Plan, error: unknown): Promise<void> {
  await plan.vectors.catch(() => undefined);
  if (!(error instanceof FencedError)) return;
  const ids = [...plan.set.newUnits.keys()];
  const stored = await collections.units.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  const known = new Set(stored.map(({ _id }) => _id));
  await vectors.remove(ids.filter((id) => !known.has(id)));
}

/**
 * Takes what goes out of the vector index, before anything is compared with it.
 * @param firstSequence of the batch; younger units are not touched, another projector may have stored them already
 */
async function removeGone({ collections, vectors }: ReadModel, set: WorkingSet, firstSequence: number): Promise<void> {
  for (const id of await unitsOfDocuments(collections, set.replacedDocuments, firstSequence)) set.goneUnits.add(id);
  await vectors.remove([...set.goneUnits]);
}

function vectorsOf({ unit, vector }: NewUnit, lexical: LexicalEncoder): UnitVectors {
  const { _id: id, agentKey, factType, operationId, fact, eventDate, ordinal, documentId } = unit;
  const place = { id, operationId, fact, isInDocument: documentId !== null };
  return {
    ...place,
    agentKey,
    factType,
    eventDate,
    ordinal,
    dense: fromBase64(vector),
    lexical: lexical.document(lexicalText(unit)),
  };
}

/** Six digits after the point lose less than the store's own form of a vector, and halve what is sent. */
function fromBase64(vector: string): number[] {
  const bytes = Buffer.from(vector, 'base64');
  const values = new Array<number>(bytes.byteLength / 4);
  for (let index = 0; index < values.length; index += 1) {
    values[index] = Math.round(bytes.readFloatLE(index * 4) * 1e6) / 1e6;
  }
  return values;
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
