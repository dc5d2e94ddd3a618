import type { QdrantClient } from '@qdrant/js-client-rest';
import type {
  Hit,
  MeaningHits,
  MeaningQuery,
  RemovedUnits,
  SimilarQuery,
  UnitFilter,
  VectorFilter,
  WordHits,
  WordsQuery,
} from './vector-index.ts';

/** How many of the most similar units tell whether anything is related to a question. */
const closestUnits = 5;
/**
 * Up to so many units are all compared: of 10,000 that took 2.3 ms, and a search of the graph for the best 300 of them 3 ms.
 */
const mostComparedExactly = 12_000;
const payload = ['op', 'fact', 'first', 'last', 'document', 'turn', 'appended', 'asks'];

export async function byMeaning(client: QdrantClient, name: string, query: MeaningQuery): Promise<MeaningHits> {
  const { dense, whole, units, unitCount, window, sample } = query;
  const filter = filterOf(query);
  const common = { using: 'dense', ...(unitCount <= mostComparedExactly && { params: { exact: true } }) };
  const best = { ...common, filter, query: [...dense], limit: units, with_payload: payload };
  const compared = { ...common, query: [...whole], with_payload: false };
  // What is usual for the agent does not depend on what the caller is interested in.
  const usual = ofOrdinals(filterOf({ ...query, about: undefined }), sample);
  // A question without names is compared with the same vector twice.
  const isCompared = whole === dense;
  const searches = [
    best,
    { ...compared, filter: usual, limit: Math.max(1, sample.length) },
    ...(isCompared ? [] : [{ ...compared, filter, limit: closestUnits }]),
    ...(window ? [{ ...best, filter: within(filter, window) }] : []),
  ];
  const answers = (await client.queryBatch(name, { searches })).map(({ points }) => points);
  const [byDense = [], sampled = []] = answers.splice(0, 2);
  const [closest = []] = isCompared ? [byDense.slice(0, closestUnits)] : answers.splice(0, 1);
  const [inWindow = []] = answers;
  return {
    dense: toHits(byDense),
    window: toHits(inWindow),
    closest: closest.map(({ score }) => score),
    sample: sampled.map(({ score }) => score),
  };
}

export async function byWords(client: QdrantClient, name: string, query: WordsQuery): Promise<WordHits> {
  const { words, units, passages } = query;
  if (words.indices.length === 0) return { words: [], passages: [] };
  const common = { filter: filterOf(query), query: words, with_payload: payload };
  const searches = [
    { ...common, using: 'words', limit: units },
    { ...common, using: 'passage', limit: passages },
  ];
  const [found = [], ofPassages = []] = (await client.queryBatch(name, { searches })).map(({ points }) => points);
  return { words: toHits(found), passages: toHits(ofPassages) };
}

function ofOrdinals(filter: ReturnType<typeof filterOf>, ordinals: readonly number[]) {
  return { ...filter, must: [...filter.must, { key: 'ordinal', match: { any: [...ordinals] } }] };
}

/** Estimated from the index of agents, which takes no time; an exact count takes time in proportion to the units. */
export async function count(client: QdrantClient, name: string, wanted: VectorFilter): Promise<number> {
  return (await client.count(name, { filter: filterOf(wanted), exact: false })).count;
}

function within(filter: ReturnType<typeof filterOf>, window: { from: number; to: number }) {
  return { ...filter, must: [...filter.must, dateRange(window)] };
}

/** Enough to choose links from; if more units are equally similar, none of them is linked. */
const similarLimit = 32;

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

export function filterOf({ agentKey, factTypes, removals, about }: VectorFilter) {
  const ofTypes = factTypes.length > 0 ? [{ key: 'type', match: { any: [...factTypes] } }] : [];
  const must: object[] = [{ key: 'agent', match: { value: agentKey } }, ...ofTypes, ...(about ? wantedBy(about) : [])];
  const without = (about?.withoutTags ?? []).map((value) => ({ key: 'tags', match: { value } }));
  const must_not = [...removals.map(removedFilter), ...without];
  return must_not.length === 0 ? { must } : { must, must_not };
}

function wantedBy({ documentKey, from, to, tags }: UnitFilter): object[] {
  return [
    ...(documentKey === undefined ? [] : [{ key: 'document', match: { value: documentKey } }]),
    ...(from === undefined && to === undefined ? [] : [dateRange({ from, to })]),
    ...tags.map((any) => ({ key: 'tags', match: { any: [...any] } })),
  ];
}

export function removedFilter({ agentKey, documentKey, before }: RemovedUnits) {
  const ofAgent = { key: 'agent', match: { value: agentKey } };
  if (documentKey === null) return { must: [ofAgent, { key: 'sequence', range: { lt: before } }] };
  const ofDocument = { key: 'document', match: { value: documentKey } };
  return { must: [ofAgent, ofDocument, { key: 'submitted', range: { lt: before } }] };
}

function dateRange({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) {
  const range = { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) };
  return { key: 'date', range };
}

interface Point {
  readonly id: string | number;
  readonly score: number;
  readonly payload?: Record<string, unknown> | null;
}

function toHits(points: readonly Point[]): Hit[] {
  return points.map(toHit).sort(bestFirst);
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
    passage: { first: Number(payload?.first), last: Number(payload?.last) },
    documentKey: typeof payload?.document === 'string' ? payload.document : null,
    turn: Number(payload?.turn),
    isAppended: payload?.appended === true,
    hasQuestion: payload?.asks === true,
  };
}
