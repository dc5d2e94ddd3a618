import type { FactType } from '@mneme/contracts';
import type { SparseVector } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';

/** A unit as the vector store keeps it: no text, only what a search compares and filters by. */
export interface UnitVectors {
  readonly id: string;
  readonly agentKey: string;
  readonly factType: FactType;
  readonly dense: readonly number[];
  readonly lexical: SparseVector;
}

/** A unit found by one method; higher scores are better, and only comparable within the method. */
export interface Hit {
  readonly id: string;
  readonly score: number;
}

export interface VectorQuery {
  readonly agentKey: string;
  /** Empty: all of them. */
  readonly factTypes: readonly FactType[];
  readonly dense: readonly number[];
  readonly lexical: SparseVector;
  /** The most hits per method. */
  readonly limit: number;
}

/** The vectors of all units of one version of the read model. */
export interface VectorIndex {
  /** Makes the collection where it does not exist yet. */
  prepare(): Promise<void>;
  /** Adds or replaces; what was written can be found when the promise resolves. */
  upsert(units: readonly UnitVectors[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** The best by meaning and by words, each best first, in one round trip. */
  search(query: VectorQuery): Promise<{ dense: readonly Hit[]; lexical: readonly Hit[] }>;
  /** Whether the store answers. */
  isReachable(): Promise<boolean>;
}

/** Points of one request; a vector of 512 numbers is about 6 KB of JSON. */
const pointsPerRequest = 500;

/** @param name of the Qdrant collection; @param dimensions of the dense vectors. */
export function createVectorIndex(client: QdrantClient, name: string, dimensions: number): VectorIndex {
  return {
    prepare: () => prepare(client, name, dimensions),
    upsert: async (units) => {
      for (let start = 0; start < units.length; start += pointsPerRequest) {
        await client.upsert(name, { wait: true, points: units.slice(start, start + pointsPerRequest).map(toPoint) });
      }
    },
    remove: async (ids) => {
      if (ids.length > 0) await client.delete(name, { wait: true, points: [...ids] });
    },
    search: (query) => search(client, name, query),
    isReachable: async () => {
      await client.collectionExists(name);
      return true;
    },
  };
}

async function prepare(client: QdrantClient, name: string, size: number): Promise<void> {
  const { exists } = await client.collectionExists(name);
  if (!exists) {
    await client.createCollection(name, {
      vectors: { dense: { size, distance: 'Cosine' } },
      sparse_vectors: { lexical: { modifier: 'idf' } },
    });
  }
  const keyword = { type: 'keyword', is_tenant: true } as const;
  await client.createPayloadIndex(name, { wait: true, field_name: 'agent', field_schema: keyword });
  await client.createPayloadIndex(name, { wait: true, field_name: 'type', field_schema: 'keyword' });
}

function toPoint({ id, agentKey, factType, dense, lexical }: UnitVectors) {
  return { id, vector: { dense: [...dense], lexical }, payload: { agent: agentKey, type: factType } };
}

async function search(client: QdrantClient, name: string, { agentKey, factTypes, dense, lexical, limit }: VectorQuery) {
  const filter = {
    must: [
      { key: 'agent', match: { value: agentKey } },
      ...(factTypes.length > 0 ? [{ key: 'type', match: { any: [...factTypes] } }] : []),
    ],
  };
  const common = { filter, limit, with_payload: false };
  const answers = await client.queryBatch(name, {
    searches: [
      { ...common, query: [...dense], using: 'dense' },
      { ...common, query: lexical, using: 'lexical' },
    ],
  });
  const [byMeaning, byWords] = answers.map(({ points }) => points.map(({ id, score }) => ({ id: String(id), score })));
  return { dense: byMeaning ?? [], lexical: byWords ?? [] };
}
