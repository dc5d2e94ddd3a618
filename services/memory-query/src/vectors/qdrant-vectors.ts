import { scopeTerms } from '@mneme/models';
import { chunks } from '@mneme/workers/chunks';
import { retryAtStart } from '@mneme/workers/start-retry';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { readIndexed } from './indexed-units.ts';
import { compare, count, find, removedFilter, similar } from './qdrant-queries.ts';
import { createTermCounter } from './term-counts.ts';
import type { CollectionMark, StoredPoint, UnitVectors, VectorIndex } from './vector-index.ts';

/** How many numbers are written in one request: those of 117 vectors of 512 numbers, about a megabyte of JSON. */
const numbersPerRequest = 60_000;
const idsPerRequest = 1_000;

/** Stores vectors in a collection of Qdrant. @param name the name of the collection; @param dimensions of the dense vectors */
export function createVectorIndex(client: QdrantClient, name: string, dimensions: number): VectorIndex {
  const countTerms = createTermCounter(client, name);
  return {
    create: (mark) => create(client, name, dimensions, mark),
    mark: () => readMark(client, name, dimensions),
    raiseStamp: (to) => raiseStamp(client, name, to),
    drop: async () => void (await client.deleteCollection(name)),
    upsert: async (units) => {
      for (const some of chunks(units, Math.max(1, Math.floor(numbersPerRequest / dimensions))))
        await client.upsert(name, { wait: true, points: some.map(toPoint), update_filter: notNewer(some) });
    },
    remove: async (ids, before) => {
      for (const some of chunks(ids, idsPerRequest)) {
        const filter = { must: [{ has_id: some }, { key: 'at', range: { lt: before } }] };
        await client.delete(name, { wait: true, filter });
      }
    },
    removeAll: async (removed) => {
      await client.delete(name, { wait: true, filter: removedFilter(removed) });
    },
    existing: (ids) => existing(client, name, ids),
    pages: (upTo) => pages(client, name, upTo),
    find: (query) => find(client, name, query),
    indexed: (agentKey, ids) => readIndexed(client, name, agentKey, ids),
    compare: (query) => compare(client, name, query),
    count: (filter) => count(client, name, filter),
    countTerms,
    similar: (queries) => similar(client, name, queries),
    acceptsWrites: async () => {
      await raiseStamp(client, name, 0);
      return true;
    },
  };
}

async function existing(
  client: QdrantClient,
  name: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPoint>> {
  const filter = { must: [{ has_id: [...ids] }, { has_vector: 'dense' }] };
  const [stored, { points }] = await Promise.all([
    client.retrieve(name, { ids: [...ids], with_payload: ['at'], with_vector: false }),
    client.scroll(name, { filter, limit: Math.max(1, ids.length), with_payload: false, with_vector: false }),
  ]);
  const withMeaning = new Set(points.map(({ id }) => id));
  return new Map(
    stored.map(({ id, payload }) => [String(id), { writtenAt: Number(payload?.at), hasMeaning: withMeaning.has(id) }]),
  );
}

/** The id of the point that holds the mark. It belongs to no agent, so no search finds it. */
export const markId = '6d6e656d-6500-5000-8000-6d61726b0000';

/** A collection with vectors of another length has another mark: it cannot be used with the model. */
async function readMark(client: QdrantClient, name: string, dimensions: number): Promise<CollectionMark | undefined> {
  try {
    const [[point], { config }] = await Promise.all([
      client.retrieve(name, { ids: [markId], with_payload: ['mark', 'stamp'] }),
      client.getCollection(name),
    ]);
    const { dense } = (config.params.vectors ?? {}) as { readonly dense?: { readonly size: number } };
    const size = dense?.size;
    const other = size === dimensions ? '' : ` with vectors of ${size} numbers`;
    return point && { mark: `${point.payload?.mark}${other}`, stamp: Number(point.payload?.stamp ?? 0) };
  } catch (error) {
    if ((error as { status?: unknown }).status === 404) return undefined;
    throw error;
  }
}

/** Does nothing to a stamp that is as large already. */
async function raiseStamp(client: QdrantClient, name: string, to: number): Promise<void> {
  const isSmaller = { must: [{ has_id: [markId] }], must_not: [{ key: 'stamp', range: { gte: to } }] };
  await client.setPayload(name, { wait: true, payload: { stamp: to }, filter: isSmaller });
}

async function* pages(client: QdrantClient, name: string, upTo: number): AsyncIterable<string[]> {
  const filter = { must: [{ key: 'at', range: { lte: upTo } }], must_not: [{ has_id: [markId] }] };
  for (let offset: unknown = undefined; ; ) {
    const page = await client.scroll(name, {
      filter,
      limit: idsPerRequest,
      with_payload: false,
      with_vector: false,
      ...(offset === undefined ? {} : { offset: offset as string }),
    });
    yield page.points.map(({ id }) => String(id));
    if (page.next_page_offset === null || page.next_page_offset === undefined) return;
    offset = page.next_page_offset;
  }
}

/**
 * Every question is about one agent, whose vectors are compared one by one. Without graphs a segment of this size, in kilobytes
 * of vectors, is only put into a form that is searched faster, with the units of an agent side by side. See
 * `docs/decisions/0049-no-graph-over-vectors.md`.
 */
const rewrittenKilobytes = 100_000;
/** New points share the segments. In a segment with many points each takes longer to write, and questions wait for it. */
const segments = 4;
const withoutGraphs = {
  hnsw_config: { m: 0, payload_m: 0 },
  optimizers_config: { indexing_threshold: rewrittenKilobytes, default_segment_number: segments },
};

/** By which the units of one agent are filtered. */
const filterFields = {
  type: 'keyword',
  document: 'keyword',
  tags: 'keyword',
  date: 'integer',
  ordinal: 'integer',
  sequence: 'integer',
  at: 'integer',
  submitted: 'integer',
} as const;

/** The collection got fewer copies than Qdrant is configured to keep. */
class TooFewCopiesError extends Error {
  override readonly name = 'TooFewCopiesError';

  constructor(copies: number, wanted: number) {
    super(
      `Qdrant keeps ${copies} of ${wanted} copies of a new collection, and would add none later: start the members of its ` +
        'cluster that are missing, or lower its replication factor',
    );
  }
}

/** Members of a cluster that starts join within a few seconds of each other. */
const membersPauseMs = 1_000;

/** @throws TooFewCopiesError when Qdrant has too few members for another 30 s */
async function create(client: QdrantClient, name: string, size: number, mark: string): Promise<void> {
  await retryAtStart(() => createCollection(client, name, size), {
    pauseMs: membersPauseMs,
    isTransient: (error) => error instanceof TooFewCopiesError,
  });
  const tenant = { type: 'keyword', is_tenant: true } as const;
  await client.createPayloadIndex(name, { wait: true, field_name: 'agent', field_schema: tenant });
  for (const [field_name, field_schema] of Object.entries(filterFields))
    await client.createPayloadIndex(name, { wait: true, field_name, field_schema });
  await client.upsert(name, { wait: true, points: [{ id: markId, vector: {}, payload: { mark } }] });
}

async function createCollection(client: QdrantClient, name: string, size: number): Promise<void> {
  await client.deleteCollection(name);
  await client.createCollection(name, {
    vectors: { dense: { size, distance: 'Cosine' } },
    // The rarity of a term is that of the agent, so it belongs to the question and not to the collection.
    sparse_vectors: { words: {}, passage: {} },
    ...withoutGraphs,
  });
  await assertCopies(client, name);
}

/** Qdrant makes no more copies than it has members at the moment, and adds none when others join. */
async function assertCopies(client: QdrantClient, name: string): Promise<void> {
  const { config } = await client.getCollection(name);
  const wanted = config.params.replication_factor ?? 1;
  if (wanted === 1) return;
  const { local_shards, remote_shards } = await client.collectionClusterInfo(name);
  const byShard = Map.groupBy<number, { shard_id: number }>(
    [...local_shards, ...remote_shards],
    ({ shard_id }) => shard_id,
  );
  const copies = Math.min(...[...byShard.values()].map(({ length }) => length));
  if (copies < wanted) throw new TooFewCopiesError(copies, wanted);
}

/** The stored points that may be replaced: each by what follows from the same event or a later one. */
function notNewer(units: readonly UnitVectors[]) {
  const byEvent = Map.groupBy(units, ({ writtenAt }) => writtenAt);
  const upTo = (sequence: number) => ({ key: 'at', range: { lte: sequence } });
  const replaceable = [...byEvent].map(([sequence, some]) => ({
    must: [upTo(sequence), ...(byEvent.size > 1 ? [{ has_id: some.map(({ id }) => id) }] : [])],
  }));
  return { should: replaceable };
}

function toPoint(unit: UnitVectors) {
  return {
    id: unit.id,
    vector: {
      ...(unit.dense.length > 0 && { dense: [...unit.dense] }),
      words: scopeTerms(unit.agentKey, unit.words),
      ...(unit.passageWords && { passage: scopeTerms(unit.agentKey, unit.passageWords) }),
    },
    payload: {
      agent: unit.agentKey,
      type: unit.factType,
      date: unit.eventDate.getTime(),
      ordinal: unit.ordinal,
      op: unit.operationId,
      fact: unit.fact,
      first: unit.passage.first,
      last: unit.passage.last,
      asks: unit.hasQuestion,
      document: unit.documentKey,
      turn: unit.turn,
      appended: unit.isAppended,
      sequence: unit.sequence,
      submitted: unit.submitted,
      ...(unit.tags.length > 0 && { tags: [...unit.tags] }),
      at: unit.writtenAt,
    },
  };
}
