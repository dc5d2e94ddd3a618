import type { FactType } from '@mneme/contracts';
import type { SparseVector } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';

/** A unit as the vector store keeps it: no text, only what a search compares, filters by, and finds neighbours with. */
export interface UnitVectors extends UnitPlace {
  readonly agentKey: string;
  readonly factType: FactType;
  readonly eventDate: Date;
  readonly ordinal: number;
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

/** Asks for the units that are alike. */
export interface AlikeQuery {
  readonly agentKey: string;
  readonly dense: ArrayLike<number>;
  readonly minScore: number;
  /** Only units with a greater ordinal. */
  readonly afterOrdinal: number;
  /** Ids that are not wanted. */
  readonly exclude: readonly string[];
  /** From this score on, and within this time (milliseconds since 1970), a unit may say the same. */
  readonly repeatedScore: number;
  readonly around: { readonly from: number; readonly to: number };
}

/** The vectors of all units of one version of the read model. */
export interface VectorIndex {
  /** Makes the collection where it does not exist yet. */
  prepare(): Promise<void>;
  /** Adds or replaces; what was written can be found when the promise resolves. */
  upsert(units: readonly UnitVectors[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Takes everything of agents out; does nothing where there is no such index. */
  removeAgents(agentKeys: readonly string[]): Promise<void>;
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
    removeAgents: async (agentKeys) => {
      if (!(await client.collectionExists(name)).exists) return;
      await client.delete(name, { wait: true, filter: { must: [{ key: 'agent', match: { any: [...agentKeys] } }] } });
    },
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
  await client.createPayloadIndex(name, { wait: true, field_name: 'date', field_schema: 'integer' });
  await client.createPayloadIndex(name, { wait: true, field_name: 'ordinal', field_schema: 'integer' });
}

function toPoint(unit: UnitVectors) {
  const { id, agentKey, factType, operationId, fact, isInDocument, eventDate, ordinal } = unit;
  const date = Math.floor(eventDate.getTime() / 1_000);
  const payload = { agent: agentKey, type: factType, date, ordinal, op: operationId, fact, doc: isInDocument };
  return { id, vector: { dense: [...unit.dense], lexical: unit.lexical }, payload };
}

async function search(client: QdrantClient, name: string, query: VectorQuery): Promise<VectorHits> {
  const { dense, lexical, denseLimit, lexicalLimit, window } = query;
  const common = { filter: filterOf(query), with_payload: ['op', 'fact', 'doc'] };
  const byMeaning = { ...common, query: [...dense], using: 'dense', limit: denseLimit };
  const byWords = { ...common, query: lexical, using: 'lexical', limit: lexicalLimit };
  const counted = countedOf(lexical.indices.length);
  const ofAllTypes = filterOf({ agentKey: query.agentKey, factTypes: [] });
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
  return (await client.count(name, { filter: filterOf({ agentKey, factTypes: [] }), exact: false })).count;
}

function within(filter: ReturnType<typeof filterOf>, window: { from: number; to: number }) {
  return { must: [...filter.must, dateRange(window)] };
}

async function similarities(client: QdrantClient, name: string, dense: readonly number[], ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, number>();
  const filter = { must: [{ has_id: [...ids] }] };
  const common = { filter, limit: ids.length, with_payload: false };
  const { points } = await client.query(name, { ...common, query: [...dense], using: 'dense' });
  return new Map(points.map(({ id, score }) => [String(id), score]));
}

function filterOf({ agentKey, factTypes }: Pick<VectorQuery, 'agentKey' | 'factTypes'>) {
  const ofTypes = factTypes.length > 0 ? [{ key: 'type', match: { any: [...factTypes] } }] : [];
  return { must: [{ key: 'agent', match: { value: agentKey } }, ...ofTypes] };
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
  const searches = wanted.map(({ query: { agentKey, dense, afterOrdinal, exclude }, minScore, ranges }) => ({
    query: Array.from(dense),
    using: 'dense',
    filter: {
      must: [
        { key: 'agent', match: { value: agentKey } },
        ...(afterOrdinal > 0 ? [{ key: 'ordinal', range: { gt: afterOrdinal } }] : []),
        ...ranges,
      ] as object[],
      ...(exclude.length > 0 ? { must_not: [{ has_id: [...exclude] }] } : {}),
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
