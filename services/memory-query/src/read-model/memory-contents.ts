import type { EmbeddingModel } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Db } from 'mongodb';
import { createVectorIndex, type VectorIndex } from '../vectors/vector-index.ts';
import { type MemoryCollections, memoryCollections } from './rows.ts';

/** One version of the read model: rows in MongoDB, vectors in Qdrant. */
export interface MemoryContents {
  readonly collections: MemoryCollections;
  readonly vectors: VectorIndex;
}

export interface ReadModelStores {
  readonly db: Db;
  readonly qdrant: QdrantClient;
  readonly embeddings: Pick<EmbeddingModel, 'name' | 'dimensions'>;
}

export function memoryContents({ db, qdrant, embeddings }: ReadModelStores, version: number): MemoryContents {
  return {
    collections: memoryCollections(db, version),
    vectors: createVectorIndex(qdrant, `${db.databaseName}_units_${version}`, embeddings.dimensions),
  };
}
