import type { EmbeddingModel } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Db } from 'mongodb';
import { createVectorIndex, type VectorIndex } from '../vectors/unit-vectors.ts';
import { createIndexes, type MemoryCollections, memoryCollections } from './collections.ts';
import { embeddingModelOf } from './versions.ts';

/** The name under which the read model of the memory area keeps its checkpoint and its live version. */
export const memoryReadModel = 'memory';

/** One version of the read model: rows in MongoDB, vectors in Qdrant. */
export interface ReadModel {
  readonly version: number;
  readonly collections: MemoryCollections;
  readonly vectors: VectorIndex;
  /** Another version in the same stores, which may or may not exist. */
  readonly sibling: (version: number) => Promise<ReadModel>;
}

export interface ReadModelStores {
  readonly db: Db;
  readonly qdrant: QdrantClient;
  readonly embeddings: Pick<EmbeddingModel, 'name' | 'dimensions'>;
}

/** Makes what a version consists of, where it does not exist. */
export async function openReadModel(stores: ReadModelStores, version: number): Promise<ReadModel> {
  const readModel = readModelAt(stores, version);
  await Promise.all([createIndexes(readModel.collections), readModel.vectors.prepare()]);
  return readModel;
}

function readModelAt(stores: ReadModelStores, version: number, embeddingModel = stores.embeddings.name): ReadModel {
  const { db, qdrant, embeddings } = stores;
  return {
    version,
    collections: memoryCollections(db, version),
    vectors: createVectorIndex(qdrant, vectorsName(db, version, embeddingModel), embeddings.dimensions),
    sibling: async (other) => readModelAt(stores, other, await embeddingModelOf(db, memoryReadModel, other)),
  };
}

/** The Qdrant collection of a version, with the model that its vectors are of. */
export function vectorsName(db: Db, version: number, embeddingModel: string): string {
  return `${vectorsPrefix(db, version)}${embeddingModel.replace(/[^\w.-]+/g, '_')}`;
}

/** What the names of a version's Qdrant collections begin with. */
export function vectorsPrefix(db: Db, version: number): string {
  return `${db.databaseName}_units_${version}_`;
}
