import { type MemoryEvent, partitionOf, partitions } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { createHashedEmbeddings, createLexicalEncoder } from '@mneme/models';
import type { Batch, Commit, GiveWay } from '@mneme/read-models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { memoryStore, type OnApplied } from '../projection/memory-store.ts';
import type { Searchable } from '../read-model/reads.ts';
import { findRemovals } from '../read-model/removals.ts';
import { connectQdrant } from '../stores/qdrant-client.ts';
import { empty, type Reusable, shapeOf } from './reusable.ts';

type Stores = Awaited<ReturnType<typeof startStores>>;

/**
 * Real stores for the tests of a file, which run from before the first of them to after the last. Each opened read model is
 * empty and separate from the others. What a test has opened is not used by it after its end: a later one gets it, emptied.
 */
export function useStores(): Stores {
  const stores: Partial<Stores> = {};
  beforeAll(async () => {
    Object.assign(stores, await startStores());
  });
  beforeEach(() => stores.reuse?.begin());
  afterEach(() => stores.reuse?.end());
  afterAll(() => stores.stop?.());
  return stores as Stores;
}

async function startStores() {
  const stack = await startTestStack({ servers: ['mongod', 'qdrant'] });
  const client = await new MongoClient(stack.mongodbUrl).connect();
  const qdrant = await connectQdrant(stack.qdrantUrl);
  const embeddings = createHashedEmbeddings();
  const lexical = createLexicalEncoder();
  const reuse = createReuse(qdrant);
  let made = 0;

  const open = async (onApplied?: OnApplied) => {
    const reused = reuse.take();
    if (!reused) made += 1;
    const db = reused?.db ?? client.db(`test_${made}`);
    const vectors = `${db.databaseName}_units_1`;
    const makeStore = () =>
      memoryStore({
        client,
        stores: { db, qdrant, embeddings },
        version: 1,
        lexical,
        log: 'test',
        ...(onApplied && { onApplied }),
      });
    const store = makeStore();
    if (!reused) {
      await store.create();
      reuse.add({ db, vectors, shape: await shapeOf({ db, qdrant, vectors }) });
    }
    const rows = { ...store.contents, removals: [], readAt: 0, known: undefined };
    return {
      db,
      store,
      /** What queries read if there are no pending removals. */
      readModel: rows as Searchable,
      /** What queries of a space read. */
      readable: async (space = 'public'): Promise<Searchable> => ({
        ...rows,
        removals: await findRemovals(rows.collections, { space }),
      }),
      /** Applies events by the store itself, which remembers what it has written. @param lanes those of the events */
      apply: (events: readonly Recorded<MemoryEvent>[], lanes: Batch<MemoryEvent>['lanes'] = []) =>
        store.apply({ events, lanes, assertHeld }, inTransaction(client)),
      /** Creates another writer, which remembers no rows of the others. */
      project: (commit: Commit = inTransaction(client)) => {
        const writer = makeStore();
        return {
          apply: (events: readonly Recorded<MemoryEvent>[]) => writer.apply({ events, lanes: [], assertHeld }, commit),
        };
      },
      /**
       * Applies events by another writer, cut into batches of these sizes, over and over.
       * @param giveWay for batches of a lane with much waiting
       */
      applyCut: async (events: readonly Recorded<MemoryEvent>[], sizes: readonly number[], giveWay?: GiveWay) => {
        const writer = makeStore();
        for (let from = 0, turn = 0; from < events.length; turn += 1) {
          const batch = events.slice(from, from + (sizes[turn % sizes.length] ?? 1));
          await writer.apply({ events: batch, lanes: [], giveWay, assertHeld }, inTransaction(client));
          from += batch.length;
        }
      },
      /** Runs all maintenance that is due. */
      maintain: async () => {
        const { maintenance } = makeStore();
        for (let lane = 0; lane < partitions; lane += 1) {
          while (maintenance?.isDue(lane)) await maintenance.step(lane, inTransaction(client));
        }
      },
      /** Runs one piece of the maintenance of an agent's lane. */
      maintainOnce: async (agentKey: string, giveWay?: GiveWay) =>
        makeStore().maintenance?.step(partitionOf(agentKey), inTransaction(client), giveWay),
      countPoints: async () => {
        const { count } = await qdrant.count(vectors, { exact: true });
        // One point is the mark of the collection.
        return count - 1;
      },
    };
  };

  return {
    embeddings,
    lexical,
    qdrant,
    open,
    reuse,
    stop: async () => {
      await client.close();
      await stack.stop();
    },
  };
}

/** What tests have opened, for later ones. What is opened before the first test is kept by all of them. */
function createReuse(qdrant: QdrantClient) {
  let taken: Reusable[] = [];
  let free: Reusable[] = [];
  let isInTest = false;
  return {
    begin: () => {
      isInTest = true;
    },
    take: () => {
      const reused = free.pop();
      if (reused) taken.push(reused);
      return reused;
    },
    add: (made: Reusable) => {
      if (isInTest) taken.push(made);
    },
    end: async () => {
      isInTest = false;
      const emptied = await Promise.all(taken.map(async (each) => ((await empty({ ...each, qdrant })) ? [each] : [])));
      taken = [];
      free = [...free, ...emptied.flat()];
    },
  };
}

/** The lane of every batch is held here. */
const assertHeld = () => undefined;

/** Writes in transactions as the engine does, but without checkpoints. */
function inTransaction(client: MongoClient): Commit {
  return (_upTo, write) => client.withSession((session) => session.withTransaction(() => write(session)));
}
