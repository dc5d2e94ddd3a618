import type { SparseVector } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Hit, RemovedUnits, SimilarQuery, TermHits, VectorHits, VectorQuery } from './vector-index.ts';

export async function search(client: QdrantClient, name: string, query: VectorQuery): Promise<VectorHits> {
  const { dense, lexical, denseLimit, lexicalLimit, window } = query;
  const common = { filter: filterOf(query), with_payload: ['op', 'fact', 'doc'] };
  const byMeaning = { ...common, query: [...dense], using: 'dense', limit: denseLimit };
  const byWords = { ...common, query: lexical, using: 'lexical', limit: lexicalLimit };
  const counted = countedOf(lexical.indices.length);
  const ofAllTypes = filterOf({ ...query, factTypes: [] });
  const perTerm = lexical.indices.map((term) => ({
    query: singleTerm(term),
    using: 'lexical',
    filter: ofAllTypes,
    limit: counted,
    with_payload: false,
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

/** Up to how many units with a term are counted; a word of more units is common. */
const countedPerTerm = 64;
/** The limit for all terms together, so that a question of a whole page costs no more than others. */
const countedTogether = 4_096;

function countedOf(terms: number): number {
  return Math.max(1, Math.min(countedPerTerm, Math.floor(countedTogether / terms)));
}

/** Estimated from the index of agents, which takes no time; an exact count takes time in proportion to the units. */
export async function count(client: QdrantClient, name: string, agentKey: string): Promise<number> {
  return (await client.count(name, { filter: filterOf({ agentKey, factTypes: [], removals: [] }), exact: false }))
    .count;
}

function within(filter: ReturnType<typeof filterOf>, window: { from: number; to: number }) {
  return { ...filter, must: [...filter.must, dateRange(window)] };
}

export async function similarities(
  client: QdrantClient,
  name: string,
  dense: readonly number[],
  ids: readonly string[],
) {
  if (ids.length === 0) return new Map<string, number>();
  const filter = { must: [{ has_id: [...ids] }] };
  const common = { filter, limit: ids.length, with_payload: false };
  const { points } = await client.query(name, { ...common, query: [...dense], using: 'dense' });
  return new Map(points.map(({ id, score }) => [String(id), score]));
}

/** Enough to choose links from; if more units are equally similar, none of them is linked. */
const similarLimit = 16;

export async function similar(
  client: QdrantClient,
  name: string,
  queries: readonly SimilarQuery[],
): Promise<string[][]> {
  if (queries.length === 0) return [];
  const found = await searchExactly(
    client,
    name,
    queries.map((query) => ({ query, minScore: query.minScore, ranges: [] })),
  );
  // If there may be more, a repetition may be hidden behind units of other days.
  const crowded = queries.filter((_, index) => found[index]?.length === similarLimit);
  const sameTime = await searchExactly(
    client,
    name,
    crowded.map((query) => ({ query, minScore: query.repeatedScore, ranges: [dateRange(query.around)] })),
  );
  return found.map((ids) => (ids.length < similarLimit ? ids : [...new Set([...ids, ...(sameTime.shift() ?? [])])]));
}

interface ExactSearch {
  readonly query: SimilarQuery;
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
    limit: similarLimit,
  }));
  return (await client.queryBatch(name, { searches })).map(({ points }) => points.map(({ id }) => String(id)));
}

function filterOf({ agentKey, factTypes, removals }: Pick<VectorQuery, 'agentKey' | 'factTypes' | 'removals'>) {
  const ofTypes = factTypes.length > 0 ? [{ key: 'type', match: { any: [...factTypes] } }] : [];
  const must = [{ key: 'agent', match: { value: agentKey } }, ...ofTypes];
  return removals.length === 0 ? { must } : { must, must_not: removals.map(removedFilter) };
}

export function removedFilter({ agentKey, documentKey, before }: RemovedUnits) {
  const ofDocument = documentKey === null ? [] : [{ key: 'document', match: { value: documentKey } }];
  return {
    must: [{ key: 'agent', match: { value: agentKey } }, ...ofDocument, { key: 'sequence', range: { lt: before } }],
  };
}

function singleTerm(term: number): SparseVector {
  return { indices: [term], values: [1] };
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

/** The store returns units of the same score in an order that changes with a rebuild. */
function bestFirst(left: Hit, right: Hit): number {
  return right.score - left.score || (left.id < right.id ? -1 : 1);
}

function toHit({ id, score, payload }: Point): Hit {
  return {
    id: String(id),
    score,
    operationId: String(payload?.op),
    fact: Number(payload?.fact),
    isInDocument: payload?.doc === true,
  };
}
