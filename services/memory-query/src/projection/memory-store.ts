import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { LexicalEncoder } from '@mneme/models';
import { type Batch, type Commit, mongoIdentity, type ReadModelStore } from '@mneme/read-models';
import type { MongoClient } from 'mongodb';
import { type MemoryContents, memoryContents, type ReadModelStores } from '../read-model/read-model.ts';
import { createIndexes, type MemoryCollections, type StoredOperation } from '../read-model/rows.ts';
import type { OwnVectors } from '../vectors/embedding-model.ts';
import { applySegment } from './apply-segment.ts';
import { LaneRemovals } from './lane-removals.ts';
import { RecentRows } from './load-rows.ts';
import { segmentsOf, storedBy } from './segments.ts';
import { verifyVectors } from './unit-vectors.ts';

export interface MemoryStoreDeps {
  readonly client: MongoClient;
  readonly stores: ReadModelStores;
  readonly version: number;
  readonly lexical: LexicalEncoder;
  /** Gives events the vectors of this version's embedding model; events stay as they are unless given. */
  readonly ownVectors?: OwnVectors;
  /** Called with the operations that were written. */
  readonly onApplied?: (operations: readonly StoredOperation[]) => void;
}

/**
 * The read model of the memory area: agents, operations, documents and units in MongoDB, vectors in Qdrant.
 *
 * MongoDB is written in one transaction with the checkpoints. Qdrant is written concurrently and has everything before the
 * transaction commits. It may therefore hold a unit that MongoDB does not have (yet); a search drops such hits. In Qdrant
 * an older write never replaces a newer one, so an instance that has lost its lane does no harm there.
 */
export function memoryStore(deps: MemoryStoreDeps): ReadModelStore<MemoryEvent, MemoryContents> {
  const { client, stores, version } = deps;
  const contents = memoryContents(stores, version);
  const { collections, vectors } = contents;
  const names = Object.values(collections).map(({ collectionName }) => collectionName);
  const recent = new RecentRows();
  const removals = new LaneRemovals(contents);
  const context = { client, contents, lexical: deps.lexical, recent, removals };
  return {
    contents,
    create: async () => {
      await dropAll(contents);
      await createIndexes(collections);
      await vectors.create(randomUUID());
    },
    identity: async () => {
      const mark = await vectors.mark();
      const ofRows = await mongoIdentity(stores.db, names);
      return mark === undefined ? ofRows : { ...ofRows, 'collection of vectors': mark };
    },
    apply: async ({ events: recorded }: Batch<MemoryEvent>, commit: Commit) => {
      const events = (await deps.ownVectors?.(recorded)) ?? recorded;
      const stored = await storedDocuments(collections, events);
      const segments = segmentsOf(events, (id) => stored.has(id));
      for (const [index, segment] of segments.entries()) {
        await removals.finishErasures(existingAgents(segment), commit);
        const isLast = index === segments.length - 1;
        const upTo = isLast ? Number.POSITIVE_INFINITY : (segment.at(-1)?.position.sequence ?? 0);
        const operations = await applySegment(context, segment, (write) => commit(upTo, write));
        deps.onApplied?.(operations);
      }
    },
    forgetLane: (lane) => {
      recent.forgetLane(lane);
      removals.forget(lane);
    },
    maintenance: { isDue: (lane) => removals.isDue(lane), step: (lane, commit) => removals.step(lane, commit) },
    isReachable: async () => {
      await Promise.all([stores.db.command({ ping: 1 }), vectors.isReachable()]);
      return true;
    },
    count: () => countAll(collections),
    verify: () => verifyVectors(contents, deps.lexical),
    drop: () => dropAll(contents),
  };
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

async function dropAll({ collections, vectors }: MemoryContents): Promise<void> {
  await Promise.all(Object.values(collections).map((each) => each.drop()));
  await vectors.drop();
}

async function countAll(collections: MemoryCollections): Promise<number> {
  const counts = await Promise.all(Object.values(collections).map((each) => each.estimatedDocumentCount()));
  return counts.reduce((sum, count) => sum + count, 0);
}
