import { liveVersion, switchLive } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Db } from 'mongodb';
import { createVectorIndex, type VectorIndex } from '../vectors/unit-vectors.ts';
import { createIndexes, type MemoryCollections, memoryCollections } from './collections.ts';

/** The name under which the read model of the memory area keeps its checkpoint and its live version. */
export const memoryReadModel = 'memory';

/** One version of the read model: rows in MongoDB, vectors in Qdrant. */
export interface ReadModel {
  readonly version: number;
  readonly collections: MemoryCollections;
  readonly vectors: VectorIndex;
  /** Another version in the same stores, which may or may not exist. */
  readonly sibling: (version: number) => ReadModel;
}

export interface ReadModelStores {
  readonly db: Db;
  readonly qdrant: QdrantClient;
  /** Of the embedding model. */
  readonly dimensions: number;
}

/** Makes what a version consists of, where it does not exist. */
export async function openReadModel(stores: ReadModelStores, version: number): Promise<ReadModel> {
  const readModel = readModelAt(stores, version);
  await Promise.all([createIndexes(readModel.collections), readModel.vectors.prepare()]);
  return readModel;
}

function readModelAt(stores: ReadModelStores, version: number): ReadModel {
  const { db, qdrant, dimensions } = stores;
  return {
    version,
    collections: memoryCollections(db, version),
    vectors: createVectorIndex(qdrant, `${db.databaseName}_units_${version}`, dimensions),
    sibling: (other) => readModelAt(stores, other),
  };
}

/** Tells which version answers. */
export interface LiveReadModel {
  current(): ReadModel;
}

/**
 * Lets the live version answer until `filling` has caught up, then switches to it. The first version ever is live at once.
 * @param caughtUp resolves when `filling` holds everything that the log held at the start
 */
export async function serveLive(
  stores: ReadModelStores,
  filling: ReadModel,
  caughtUp: () => Promise<void>,
  logger: Logger,
): Promise<LiveReadModel> {
  const live = await liveVersion(stores.db, memoryReadModel);
  if (live === undefined) await switchLive(stores.db, memoryReadModel, undefined, filling.version);
  if (live === undefined || live === filling.version) return { current: () => filling };
  let current = await openReadModel(stores, live);
  void caughtUp()
    .then(() => switchLive(stores.db, memoryReadModel, live, filling.version))
    .then(
      () => {
        current = filling;
        logger.info({ from: live, to: filling.version }, 'Switched to the new version of the read model');
      },
      (error: unknown) => logger.error({ err: error }, 'Could not switch to the new version of the read model'),
    );
  return { current: () => current };
}
