import {
  agentKeyOf,
  embeddingEvents,
  type MemoryEvent,
  memoryEvents,
  memoryStream,
  partitionOf,
  partitions,
} from '@mneme/contracts';
import type { EmbeddingModel } from '@mneme/models';
import type { ReadModel, ReadModelDefinition } from '@mneme/read-models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Db } from 'mongodb';
import { createVectorIndex } from '../vectors/qdrant-vectors.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import { type MemoryCollections, memoryCollections } from './rows.ts';

export type MemoryReadModel = ReadModel<MemoryEvent, MemoryContents>;

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

/** Increased when the rows or their derivation change; a new version is then built beside the old one. */
const form = 3;
/** The outcome of a batch may follow it in the log within this time; its operation is then written once, as completed. */
const delay = { types: ['BatchSubmitted', 'OperationStarted'], forMs: 15 };

/**
 * What agents remember. The events of an agent are applied in order, in the lane of its partition.
 * @param embeddingModel its name; it belongs to the form, because vectors of different models cannot be compared
 */
export function memoryReadModel(
  embeddingModel: string,
  store: ReadModelDefinition<MemoryEvent, MemoryContents>['store'],
): ReadModelDefinition<MemoryEvent, MemoryContents> {
  return {
    name: 'memory',
    form: `${form} ${embeddingModel}`,
    stream: memoryStream.name,
    catalog: memoryEvents,
    types: [...memoryEvents.definitions.keys()] as MemoryEvent['type'][],
    ignoredTypes: [...embeddingEvents.definitions.keys()],
    supersedingTypes: ['AgentErased'],
    lanes: {
      count: partitions,
      aggregateOf: ({ subject }) => agentKeyOf(subject),
      laneOf: partitionOf,
      subjectOf: (lane) => `memory.${lane}.>`,
    },
    batches: { maxEvents: 500, maxBytes: 4 * 1024 * 1024, delay },
    store,
  };
}
