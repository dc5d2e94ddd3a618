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
import type { KeptOutside, ReadModel, ReadModelDefinition } from '@mneme/read-models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Db } from 'mongodb';
import { createVectorIndex } from '../vectors/qdrant-vectors.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import type { Remembered } from './remembered.ts';
import type { Removals } from './removals.ts';
import { type MemoryCollections, memoryCollections } from './rows.ts';

export type MemoryReadModel = ReadModel<MemoryEvent, MemoryContents>;

/** One version of the read model: rows in MongoDB, vectors in Qdrant. */
export interface MemoryContents {
  readonly collections: MemoryCollections;
  readonly vectors: VectorIndex;
  /** The model of the vectors; questions are embedded by it. */
  readonly embeddings: EmbeddingModel;
  /** From this cosine on, two units are linked as similar; it belongs to the embedding model. */
  readonly linkCosine: number;
  /** What searches have read of agents whose events this instance applies. */
  readonly remembered: Remembered;
  /** The pending removals of an agent whose events this instance applies; undefined when they have to be read. */
  readonly removalsOf: (agentKey: string) => Removals | undefined;
}

export interface ReadModelStores {
  readonly db: Db;
  readonly qdrant: QdrantClient;
  readonly embeddings: EmbeddingModel;
}

/** Where a version is stored. */
export type StoredContents = Pick<MemoryContents, 'collections' | 'vectors' | 'embeddings' | 'linkCosine'>;

export function storedContents({ db, qdrant, embeddings }: ReadModelStores, version: number): StoredContents {
  return {
    collections: memoryCollections(db, version),
    vectors: createVectorIndex(qdrant, `${vectorsOf(db)}${version}`, embeddings.dimensions),
    embeddings,
    linkCosine: embeddings.calibration.link,
  };
}

/** What the names of the collections of vectors begin with; the number of the version follows. */
function vectorsOf(db: Db): string {
  return `${db.databaseName}_units_`;
}

/**
 * The versions that have a collection of vectors, whether MongoDB knows them or not.
 * @param log when the stream of the log was created
 */
export async function versionsWithVectors(
  { db, qdrant }: Pick<ReadModelStores, 'db' | 'qdrant'>,
  log: string,
): Promise<KeptOutside[]> {
  const prefix = vectorsOf(db);
  const { collections } = await qdrant.getCollections();
  const named = collections.filter(({ name }) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)));
  return Promise.all(
    named.map(async ({ name }) => {
      // One that cannot be read is not certainly of this log.
      const found = await createVectorIndex(qdrant, name, 1)
        .mark()
        .catch(() => undefined);
      const isOfThisLog = found?.mark.startsWith(markOf(log)) === true;
      return { version: Number(name.slice(prefix.length)), isOfThisLog };
    }),
  );
}

/** What the mark of a collection begins with that was made from a log. */
export function markOf(log: string): string {
  return `${log} `;
}

/** Increased when the rows or their derivation change; a new version is then built beside the old one. */
const form = 17;
/**
 * The outcome of a batch may follow it in the log within this time; its operation is then written once, as completed. Reads
 * that ask for what was accepted do not wait for it.
 */
const delay = { types: ['BatchSubmitted', 'OperationStarted'], forMs: 50 };

/** The embedding models that versions may have. */
export interface VersionModels {
  /** That of a version that is built. */
  wanted(): EmbeddingModel;
  /** Those of versions that can answer. */
  loaded(): readonly EmbeddingModel[];
}

type MemoryDefinition = ReadModelDefinition<MemoryEvent, MemoryContents>;

/**
 * The form of a version. The model belongs to it, because vectors of different models cannot be compared, and so does the
 * cosine from which on units are linked.
 */
export function formOf({ name, calibration }: Pick<EmbeddingModel, 'name' | 'calibration'>): string {
  return `${form} ${name} ${calibration.link}`;
}

/**
 * What agents remember. The events of an agent are applied in order, in the lane of its partition.
 * @param store where a version with the vectors of a model is kept
 * @param keptOutside finds the versions that have vectors
 */
export function memoryReadModel(
  models: VersionModels,
  store: (version: number, embeddings: EmbeddingModel) => ReturnType<MemoryDefinition['store']>,
  keptOutside?: () => Promise<readonly KeptOutside[]>,
): MemoryDefinition {
  const modelOf = (wanted: string) => models.loaded().find((model) => formOf(model) === wanted);
  return {
    name: 'memory',
    get form() {
      return formOf(models.wanted());
    },
    isUsable: (other) => modelOf(other) !== undefined,
    stream: memoryStream.name,
    catalog: memoryEvents,
    types: [...memoryEvents.definitions.keys()] as MemoryEvent['type'][],
    ignoredTypes: [...embeddingEvents.definitions.keys()].filter((type) => !memoryEvents.definitions.has(type)),
    supersedingTypes: ['AgentErased'],
    lanes: {
      count: partitions,
      aggregateOf: ({ subject }) => agentKeyOf(subject),
      laneOf: partitionOf,
      subjectOf: (lane) => `memory.${lane}.>`,
    },
    batches: { maxEvents: 500, maxBytes: 4 * 1024 * 1024, delay },
    store: (version, ofForm) => store(version, modelOf(ofForm) ?? models.wanted()),
    ...(keptOutside && { keptOutside }),
  };
}
