import type { FactType } from '@mneme/contracts';
import type { SparseVector } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';

/** A unit as the vector store keeps it: no text, only what a search compares, filters by, and finds neighbours with. */
export interface UnitVectors extends UnitPlace {
  readonly agentKey: string;
  readonly factType: FactType;
  readonly eventDate: Date;
  readonly ordinal: number;
  readonly documentKey: string | null;
  /** Of the event that the unit came from. */
  readonly sequence: number;
  readonly dense: readonly number[];
  readonly lexical: SparseVector;
}

/** Which unit it is, and where it stood in what was stored with it. */
export interface UnitPlace {
  readonly id: string;
  readonly operationId: string;
  /** Its place among the facts of the operation, from 0. */
  readonly fact: number;
  readonly isInDocument: boolean;
}

/** A unit found by one method; higher scores are better, and only comparable within the method. */
export interface Hit extends UnitPlace {
  readonly score: number;
}

/** The units of the agent, of any type, that have a single term. */
export interface TermHits {
  /** How many there are; no more than `counted` are told apart. */
  readonly count: number;
  readonly counted: number;
  /** The one that the term weighs most in; undefined where no unit has it. */
  readonly best: Pick<Hit, 'id' | 'score'> | undefined;
}

export interface VectorQuery {
  readonly agentKey: string;
  /** Empty: all of them. */
  readonly factTypes: readonly FactType[];
  readonly dense: readonly number[];
  readonly lexical: SparseVector;
  /** The most hits by words, and by meaning. */
  readonly lexicalLimit: number;
  readonly denseLimit: number;
  /** What is not there any more, although it may still be stored. */
  readonly removals: readonly RemovedUnits[];
  /** Also asks for the best by meaning within this time; half-open, in milliseconds since 1970. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
}

export interface VectorHits {
  readonly dense: readonly Hit[];
  readonly lexical: readonly Hit[];
  /** Per term of the query, in its order. */
  readonly terms: readonly TermHits[];
  /** The best by meaning within the window. */
  readonly window: readonly Hit[];
}

/** Units of a document, or of an agent, from before a sequence. */
export interface RemovedUnits {
  readonly agentKey: string;
  /** Null: all units of the agent. */
  readonly documentKey: string | null;
  readonly before: number;
}

/** Asks for the units that are alike. */
export interface AlikeQuery {
  readonly agentKey: string;
  readonly dense: ArrayLike<number>;
  readonly minScore: number;
  /** Only units with a greater ordinal. */
  readonly afterOrdinal: number;
  /** Ids that are not wanted. */
  readonly exclude: readonly string[];
  readonly removals: readonly RemovedUnits[];
  /** From this score on, and within this time (milliseconds since 1970), a unit may say the same. */
  readonly repeatedScore: number;
  readonly around: { readonly from: number; readonly to: number };
}

/** The vectors of all units of one version of the read model. */
export interface VectorIndex {
  /** Makes the collection new and empty, with a mark by which it is recognised. */
  create(mark: string): Promise<void>;
  /** The mark that the collection was made with; undefined when the collection, or what was in it, is gone. */
  mark(): Promise<string | undefined>;
  drop(): Promise<void>;
  /**
   * Adds or replaces; what was written can be found when the promise resolves. What was written as of a later event stays.
   * @param writtenAt the sequence of the event that this follows from
   */
  upsert(units: readonly UnitVectors[], writtenAt: number): Promise<void>;
  /** Removes units that were written as of an event before a sequence. */
  remove(ids: readonly string[], before: number): Promise<void>;
  removeAll(removed: RemovedUnits): Promise<void>;
  /** Which of some units are there. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ids of all units that were written as of an event up to a sequence, page by page. */
  pages(upTo: number): AsyncIterable<string[]>;
  /** The best by meaning and by words, each best first, and how many have each single term, in one round trip. */
  search(query: VectorQuery): Promise<VectorHits>;
  /** How many units the agent has. */
  count(agentKey: string): Promise<number>;
  /** The similarity of named units to a vector, as `search` gives it. */
  similarities(dense: readonly number[], ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** For each query the ids of the most alike, found exactly; more than enough of them to choose the best from. */
  alike(queries: readonly AlikeQuery[]): Promise<readonly (readonly string[])[]>;
  /** Whether the store answers. */
  isReachable(): Promise<boolean>;
}

/** Ids of one request: 96 vectors of 512 numbers, whose JSON takes about 10 ms to make. */
const numbersPerRequest = 50_000;
const idsPerRequest = 1_000;

/** @param name of the Qdrant collection; @param dimensions of the dense vectors. */
export function createVectorIndex(client: QdrantClient, name: string, dimensions: number): VectorIndex {
  return {
    create: (mark) => create(client, name, dimensions, mark),
    mark: () => readMark(client, name),
    drop: async () => void (await client.deleteCollection(name)),
    upsert: async (units, writtenAt) => {
      const update_filter = { must: [{ key: 'at', range: { lte: writtenAt } }] };
      for (const some of inSlices(units, Math.max(1, Math.floor(numbersPerRequest / dimensions)))) {
        const points = some.map((unit) => toPoint(unit, writtenAt));
        await client.upsert(name, { wait: true, points, update_filter });
      }
    },
    remove: async (ids, before) => {
      for (const some of inSlices(ids, idsPerRequest)) {
        const filter = { must: [{ has_id: [...some] }, { key: 'at', range: { lt: before } }] };
        await client.delete(name, { wait: true, filter });
      }
    },
    removeAll: async (removed) => {
      await client.delete(name, { wait: true, filter: removedFilter(removed) });
    },
    existing: async (ids) => {
      const found = await client.retrieve(name, { ids: [...ids], with_payload: false, with_vector: false });
      return new Set(found.map(({ id }) => String(id)));
    },
    pages: (upTo) => pages(client, name, upTo),
    search: (query) => search(client, name, query),
    count: (agentKey) => count(client, name, agentKey),
    similarities: (dense, ids) => similarities(client, name, dense, ids),
    alike: (queries) => alike(client, name, queries),
    isReachable: async () => {
      await client.collectionExists(name);
      return true;
    },
  };
}

function* inSlices<T>(items: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The point that holds the mark; it belongs to no agent, so that nothing else finds it. */
const markId = '6d6e656d-6500-5000-8000-6d61726b0000';

async function readMark(client: QdrantClient, name: string): Promise<string | undefined> {
  try {
    const [point] = await client.retrieve(name, { ids: [markId], with_payload: ['mark'] });
    return point ? String(point.payload?.mark) : undefined;
  } catch (error) {
    if ((error as { status?: unknown }).status === 404) return undefined;
    throw error;
  }
}

async function* pages(client: QdrantClient, name: string, upTo: number): AsyncIterable<string[]> {
  const filter = { must: [{ key: 'at', range: { lte: upTo } }], must_not: [{ has_id: [markId] }] };
  for (let offset: unknown = undefined; ; ) {
    const page = await client.scroll(name, {
      ...{ filter, limit: idsPerRequest, with_payload: false, with_vector: false },
      ...(offset === undefined ? {} : { offset: offset as string }),
    });
    yield page.points.map(({ id }) => String(id));
    if (page.next_page_offset === null || page.next_page_offset === undefined) return;
    offset = page.next_page_offset;
  }
}

async function create(client: QdrantClient, name: string, size: number, mark: string): Promise<void> {
  await client.deleteCollection(name);
  await client.createCollection(name, {
    vectors: { dense: { size, distance: 'Cosine' } },
    sparse_vectors: { lexical: { modifier: 'idf' } },
  });
  const keyword = { type: 'keyword', is_tenant: true } as const;
  await client.createPayloadIndex(name, { wait: true, field_name: 'agent', field_schema: keyword });
  await client.createPayloadIndex(name, { wait: true, field_name: 'type', field_schema: 'keyword' });
  await client.createPayloadIndex(name, { wait: true, field_name: 'date', field_schema: 'integer' });
  await client.createPayloadIndex(name, { wait: true, field_name: 'ordinal', field_schema: 'integer' });
  await client.createPayloadIndex(name, { wait: true, field_name: 'document', field_schema: 'keyword' });
  await client.createPayloadIndex(name, { wait: true, field_name: 'sequence', field_schema: 'integer' });
  await client.createPayloadIndex(name, { wait: true, field_name: 'at', field_schema: 'integer' });
  await client.upsert(name, { wait: true, points: [{ id: markId, vector: {}, payload: { mark } }] });
}

function toPoint(unit: UnitVectors, at: number) {
  const { id, agentKey, factType, operationId, fact, isInDocument, eventDate, ordinal, documentKey, sequence } = unit;
  const date = Math.floor(eventDate.getTime() / 1_000);
  const place = { op: operationId, fact, doc: isInDocument, document: documentKey, sequence, at };
  const payload = { agent: agentKey, type: factType, date, ordinal, ...place };
  return { id, vector: { dense: [...unit.dense], lexical: unit.lexical }, payload };
}

async function search(client: QdrantClient, name: string, query: VectorQuery): Promise<VectorHits> {
  const { dense, lexical, denseLimit, lexicalLimit, window } = query;
  const common = { filter: filterOf(query), with_payload: ['op', 'fact', 'doc'] };
  const byMeaning = { ...common, query: [...dense], using: 'dense', limit: denseLimit };
  const byWords = { ...common, query: lexical, using: 'lexical', limit: lexicalLimit };
  const counted = countedOf(lexical.indices.length);
  const ofAllTypes = filterOf({ ...query, factTypes: [] });
  const perTerm = lexical.indices.map((term) => ({
    ...{ query: singleTerm(term), using: 'lexical', filter: ofAllTypes, limit: counted, with_payload: false },
  }));
  const searches = [
    byMeaning,
    ...(window ? [{ ...byMeaning, filter: within(common.filter, window) }] : []),
    ...(perTerm.length > 0 ? [byWords, ...perTerm] : []),
  ];
  const answers = (await client.queryBatch(name, { searches })).map(({ points }) => points);
  const [meaning = []] = answers.splice(0, 1);
  const [inWindow = []] = answers.splice(0, window ? 1 : 0);
  const [words = [], ...terms] = answers;
  return {
    dense: toHits(meaning),
    window: toHits(inWindow),
    lexical: toHits(words),
    terms: terms.map((points) => ({ count: points.length, counted, best: bestOf(points) })),
  };
}

/** So many units with a term are told apart; a word of more is common. */
const countedPerTerm = 64;
/** So many all terms have together, so that a question of a whole page asks for no more than others do. */
const countedTogether = 4_096;

function countedOf(terms: number): number {
  return Math.max(1, Math.min(countedPerTerm, Math.floor(countedTogether / terms)));
}

/** As the store's index of agents has it, which is told at once; to count one by one takes as long as there are units. */
async function count(client: QdrantClient, name: string, agentKey: string): Promise<number> {
  return (await client.count(name, { filter: filterOf({ agentKey, factTypes: [], removals: [] }), exact: false }))
    .count;
}

function within(filter: ReturnType<typeof filterOf>, window: { from: number; to: number }) {
  return { ...filter, must: [...filter.must, dateRange(window)] };
}

async function similarities(client: QdrantClient, name: string, dense: readonly number[], ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, number>();
  const filter = { must: [{ has_id: [...ids] }] };
  const common = { filter, limit: ids.length, with_payload: false };
  const { points } = await client.query(name, { ...common, query: [...dense], using: 'dense' });
  return new Map(points.map(({ id, score }) => [String(id), score]));
}

function filterOf({ agentKey, factTypes, removals }: Pick<VectorQuery, 'agentKey' | 'factTypes' | 'removals'>) {
  const ofTypes = factTypes.length > 0 ? [{ key: 'type', match: { any: [...factTypes] } }] : [];
  const must = [{ key: 'agent', match: { value: agentKey } }, ...ofTypes];
  return removals.length === 0 ? { must } : { must, must_not: removals.map(removedFilter) };
}

function removedFilter({ agentKey, documentKey, before }: RemovedUnits) {
  const ofDocument = documentKey === null ? [] : [{ key: 'document', match: { value: documentKey } }];
  return {
    must: [{ key: 'agent', match: { value: agentKey } }, ...ofDocument, { key: 'sequence', range: { lt: before } }],
  };
}

function singleTerm(term: number): SparseVector {
  return { indices: [term], values: [1] };
}

/** As many as a link chooses from; units that are equally alike in greater number say nothing. */
const alikeLimit = 16;

async function alike(client: QdrantClient, name: string, queries: readonly AlikeQuery[]): Promise<string[][]> {
  if (queries.length === 0) return [];
  const found = await searchExactly(
    client,
    name,
    queries.map((query) => ({ query, minScore: query.minScore, ranges: [] })),
  );
  // Where there are more, a repetition may be hidden behind units of other days.
  const crowded = queries.filter((_, index) => found[index]?.length === alikeLimit);
  const sameTime = await searchExactly(
    client,
    name,
    crowded.map((query) => ({ query, minScore: query.repeatedScore, ranges: [dateRange(query.around)] })),
  );
  return found.map((ids) => (ids.length < alikeLimit ? ids : [...new Set([...ids, ...(sameTime.shift() ?? [])])]));
}

interface ExactSearch {
  readonly query: AlikeQuery;
  readonly minScore: number;
  readonly ranges: readonly object[];
}

async function searchExactly(client: QdrantClient, name: string, wanted: readonly ExactSearch[]): Promise<string[][]> {
  if (wanted.length === 0) return [];
  const searches = wanted.map(({ query: { agentKey, dense, afterOrdinal, exclude, removals }, minScore, ranges }) => ({
    query: Array.from(dense),
    using: 'dense',
    filter: {
      must: [
        { key: 'agent', match: { value: agentKey } },
        ...(afterOrdinal > 0 ? [{ key: 'ordinal', range: { gt: afterOrdinal } }] : []),
        ...ranges,
      ] as object[],
      must_not: [...(exclude.length > 0 ? [{ has_id: [...exclude] }] : []), ...removals.map(removedFilter)] as object[],
    },
    params: { exact: true },
    score_threshold: minScore,
    with_payload: false,
    limit: alikeLimit,
  }));
  return (await client.queryBatch(name, { searches })).map(({ points }) => points.map(({ id }) => String(id)));
}

function dateRange({ from, to }: { readonly from: number; readonly to: number }) {
  return { key: 'date', range: { gte: Math.floor(from / 1_000), lt: Math.ceil(to / 1_000) } };
}

interface Point {
  readonly id: string | number;
  readonly score: number;
  readonly payload?: Record<string, unknown> | null;
}

function toHits(points: readonly Point[]): Hit[] {
  return points.map(toHit).sort(bestFirst);
}

function bestOf([best]: readonly Point[]): TermHits['best'] {
  return best && { id: String(best.id), score: best.score };
}

/** The store gives equals in an order of its own, which changes with a rebuild. */
function bestFirst(left: Hit, right: Hit): number {
  return right.score - left.score || (left.id < right.id ? -1 : 1);
}

function toHit({ id, score, payload }: Point): Hit {
  const place = { operationId: String(payload?.op), fact: Number(payload?.fact), isInDocument: payload?.doc === true };
  return { id: String(id), score, ...place };
}
