import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { LexicalEncoder } from '@mneme/models';
import { acceptsMongoWrites, type Batch, type Commit, mongoIdentity, type ReadModelStore } from '@mneme/read-models';
import type { MongoClient } from 'mongodb';
import { NewestUnits } from '../links/newest-units.ts';
import {
  type MemoryContents,
  markOf,
  type ReadModelStores,
  type StoredContents,
  storedContents,
} from '../read-model/read-model.ts';
import { Remembered } from '../read-model/remembered.ts';
import { createIndexes, type MemoryCollections, type StoredOperation, type Unit } from '../read-model/rows.ts';
import type { WorkingSet } from '../read-model/working-set.ts';
import type { OwnVectors } from '../vectors/embedding-model.ts';
import { AdaptiveBatchSize } from './adaptive-batch-size.ts';
import { applySegment } from './apply-segment.ts';
import { LaneRemovals } from './lane-removals.ts';
import { RecentRows } from './load-rows.ts';
import { documentsIn, type Segment, segmentsOf, storedBy } from './segments.ts';
import { verifyVectors } from './unit-vectors.ts';
import { VectorStamp } from './vector-stamp.ts';

export interface MemoryStoreDeps {
  readonly client: MongoClient;
  readonly stores: ReadModelStores;
  readonly version: number;
  readonly lexical: LexicalEncoder;
  /** When the stream of the log was created. */
  readonly log: string;
  /** Gives events the vectors of this version's embedding model; events stay as they are unless given. */
  readonly ownVectors?: OwnVectors;
  /** Called with what was written. */
  readonly onApplied?: OnApplied;
}

/**
 * @param operations that were written
 * @param createdBy the units of an operation in the order of their facts, if all of them were written with it
 */
export type OnApplied = (
  operations: readonly StoredOperation[],
  createdBy: (operationId: string) => readonly Unit[] | undefined,
) => void;

/**
 * The read model of the memory area: agents, operations, documents and units in MongoDB, vectors in Qdrant.
 *
 * MongoDB is written in one transaction with the checkpoints. Qdrant is written concurrently and has everything before the
 * transaction commits. It may therefore hold a unit that MongoDB does not have (yet); a search drops such hits. In Qdrant
 * an older write never replaces a newer one, so an instance that has lost its lane does no harm there.
 */
export function memoryStore(deps: MemoryStoreDeps): ReadModelStore<MemoryEvent, MemoryContents> {
  const { client, stores, version } = deps;
  const contents = storedContents(stores, version);
  const { collections, vectors } = contents;
  const names = Object.values(collections).map(({ collectionName }) => collectionName);
  const recent = new RecentRows();
  const newest = new NewestUnits();
  const stamp = new VectorStamp(stores.db, version, vectors);
  const removals = new LaneRemovals(contents);
  const remembered = new Remembered();
  const upsertBatch = new AdaptiveBatchSize();
  const context = { client, contents, lexical: deps.lexical, recent, newest, removals, upsertBatch };
  return {
    contents: { ...contents, remembered, removalsOf: (agentKey) => removals.knownOf(agentKey) },
    create: async () => {
      await dropAll(contents);
      await stamp.forget();
      await createIndexes(collections);
      await vectors.create(`${markOf(deps.log)}${randomUUID()}`);
    },
    createIndexes: () => createIndexes(collections),
    identity: async () => {
      const found = await vectors.mark();
      const ofRows = await mongoIdentity(stores.db, names);
      if (!found) return ofRows;
      const { mark } = found;
      return { ...ofRows, 'collection of vectors': (await stamp.isAbove(found.stamp)) ? `an older ${mark}` : mark };
    },
    apply: async ({ events: recorded, lanes, giveWay, assertHeld }: Batch<MemoryEvent>, commit: Commit) => {
      // The engine then applies each lane by itself: others do not wait for the removal of all that an agent had.
      if (lanes.length > 1 && (await waitsForErasure(recorded, removals)))
        throw new Error('An agent of one of several lanes is still being erased');
      const events = (await deps.ownVectors?.(recorded)) ?? recorded;
      const stored = await storedDocuments(collections, events);
      const segments = segmentsOf(events, (id) => stored.has(id));
      for (const [index, segment] of segments.entries()) {
        await removals.finishErasures(existingAgents(segment), commit, giveWay);
        for (const { id, facts } of documentsIn(segment)) await removals.keepUp(id, facts, commit, giveWay);
        const isLast = index === segments.length - 1;
        const upTo = isLast ? Number.POSITIVE_INFINITY : (segment.at(-1)?.position.sequence ?? 0);
        const stamping = stamp.note();
        const applying = remembered.change(agentsOf(segment), () =>
          applySegment({ ...context, giveWay, assertHeld }, segment, (write) => commit(upTo, write)),
        );
        const { set } = await applying.finally(() => stamping);
        deps.onApplied?.([...set.operations.values()], createdIn(segment, set));
      }
    },
    forgetLane: (lane) => {
      recent.forgetLane(lane);
      newest.forgetLane(lane);
      removals.forget(lane);
      remembered.forgetLane(lane);
    },
    maintenance: {
      isDue: (lane) => removals.isDue(lane),
      isAwaited: (lane) => removals.isAwaited(lane),
      step: (lane, commit, giveWay) => removals.step(lane, commit, giveWay),
    },
    acceptsWrites: async () => {
      const answers = await Promise.all([acceptsMongoWrites(stores.db), vectors.acceptsWrites()]);
      return answers.every(Boolean);
    },
    count: () => countAll(collections),
    verify: (untilApplied) =>
      verifyVectors(contents, { lexical: deps.lexical, untilApplied }).finally(() => remembered.forgetAll()),
    drop: async () => {
      await dropAll(contents);
      await stamp.forget();
    },
  };
}

/** The units of operations whose first facts, and so all of them, are in the segment. */
function createdIn(segment: Segment, { newUnits }: WorkingSet): (operationId: string) => readonly Unit[] | undefined {
  const begun = new Set(
    segment.flatMap((event) =>
      event.type === 'FactsExtracted' && event.data.part === 0 ? event.data.operationId : [],
    ),
  );
  return (operationId) => {
    if (!begun.has(operationId)) return undefined;
    const units = [...newUnits.values()].map(({ unit }) => unit);
    return units.filter((unit) => unit.operationId === operationId).sort((left, right) => left.fact - right.fact);
  };
}

function agentsOf(events: Segment): ReadonlySet<string> {
  return new Set(events.map((event) => (event.type === 'AgentErased' ? event.data.agentKey : agentKey(event.data))));
}

/** Whether an agent was created again, and everything of the earlier one has to be removed first. */
async function waitsForErasure(events: Segment, removals: LaneRemovals): Promise<boolean> {
  return isCreatedAgain(events) || removals.areErasing(existingAgents(events));
}

/** Whether there is an event of an agent after its erasure. */
function isCreatedAgain(events: Segment): boolean {
  const erased = new Set<string>();
  return events.some((event) => {
    if (event.type !== 'AgentErased') return erased.has(agentKey(event.data));
    erased.add(event.data.agentKey);
    return false;
  });
}

/** The agents that exist after the events. An erasure itself need not wait for the removals of an earlier one. */
function existingAgents(events: readonly Recorded<MemoryEvent>[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === 'AgentErased' ? [] : [agentKey(event.data)])));
}

/** Which of the documents that the events store exist in the read model. */
async function storedDocuments(
  { documents }: MemoryCollections,
  events: readonly MemoryEvent[],
): Promise<ReadonlySet<string>> {
  const ids = events.map(storedBy).filter((id) => id !== undefined);
  if (ids.length === 0) return new Set();
  const rows = await documents.find({ _id: { $in: ids }, isDeleted: false }, { projection: { _id: 1 } }).toArray();
  return new Set(rows.map(({ _id }) => _id));
}

async function dropAll({ collections, vectors }: StoredContents): Promise<void> {
  await Promise.all(Object.values(collections).map((each) => each.drop()));
  await vectors.drop();
}

async function countAll(collections: MemoryCollections): Promise<number> {
  const counts = await Promise.all(Object.values(collections).map((each) => each.estimatedDocumentCount()));
  return counts.reduce((sum, count) => sum + count, 0);
}
