import type { SparseVector } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type {
  Hit,
  RemovedUnits,
  SimilarQuery,
  UnitFilter,
  VectorFilter,
  VectorHits,
  VectorQuery,
} from './vector-index.ts';

/** How many of the most similar units tell whether anything is related to a question. */
const closestUnits = 5;
const payload = ['op', 'fact', 'first', 'last', 'document', 'turn', 'appended', 'asks'];

export async function search(client: QdrantClient, name: string, query: VectorQuery): Promise<VectorHits> {
  const { dense, whole, words, units, passages, window, sample } = query;
  const common = { filter: filterOf(query), with_payload: payload };
  const byMeaning = { ...common, query: [...dense], using: 'dense', limit: units };
  const compared = { query: [...whole], using: 'dense', with_payload: false };
  const isAsking = words.indices.length > 0;
  const searches = [
    byMeaning,
    { ...compared, filter: common.filter, limit: closestUnits },
    // What is usual for the agent does not depend on what the caller is interested in.
    {
      ...compared,
      filter: ofOrdinals(filterOf({ ...query, about: undefined }), sample),
      limit: Math.max(1, sample.length),
    },
    ...(isAsking ? [{ ...common, query: words, using: 'words', limit: units }] : []),
    ...(isAsking ? [{ ...common, query: words, using: 'passage', limit: passages }] : []),
    ...(window ? [{ ...byMeaning, filter: within(common.filter, window) }] : []),
  ];
  const answers = (await client.queryBatch(name, { searches })).map(({ points }) => toHits(points));
  const [byDense = [], closest = [], sampled = []] = answers.splice(0, 3);
  const [byWords = [], ofPassages = []] = isAsking ? answers.splice(0, 2) : [];
  return {
    dense: byDense,
    words: byWords,
    passages: ofPassages,
    window: answers[0] ?? [],
    closest: closest.map(({ score }) => score),
    sample: sampled.map(({ score }) => score),
  };
}

function ofOrdinals(filter: ReturnType<typeof filterOf>, ordinals: readonly number[]) {
  return { ...filter, must: [...filter.must, { key: 'ordinal', match: { any: [...ordinals] } }] };
}

/** Up to how many units with a term are counted one by one; fewer for the many terms of a question of a page. */
const mostCounted = 64;
const countedTogether = 4_096;
/** For so many terms at most it is asked how frequent they are beyond that. */
const mostFrequent = 64;
/** For more frequent terms it is only asked whether there are more units than this. */
const steps = [128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536] as const;

export async function countTerms(client: QdrantClient, name: string, wanted: VectorFilter, terms: readonly number[]) {
  if (terms.length === 0) return [];
  const filter = filterOf(wanted);
  const counted = Math.max(1, Math.min(mostCounted, Math.floor(countedTogether / terms.length)));
  const ofTerm = (term: number) => ({ query: singleTerm(term), using: 'words', filter, with_payload: false });
  const few = await client.queryBatch(name, { searches: terms.map((term) => ({ ...ofTerm(term), limit: counted })) });
  const counts = few.map(({ points }) => points.length);
  const frequent = terms.filter((_, index) => counts[index] === counted);
  if (frequent.length === 0 || terms.length > mostFrequent) return counts;
  const searches = frequent.flatMap((term) => steps.map((offset) => ({ ...ofTerm(term), limit: 1, offset })));
  const many = await client.queryBatch(name, { searches });
  const estimates = frequent.map((_, index) => {
    const exceeded = many
      .slice(index * steps.length, (index + 1) * steps.length)
      .filter(({ points }) => points.length > 0);
    return between(exceeded.length);
  });
  return counts.map((count) => (count === counted ? (estimates.shift() ?? count) : count));
}

/** The middle, on a scale of ratios, between the last step that is exceeded and the next one. */
function between(exceeded: number): number {
  return Math.SQRT2 * (exceeded === 0 ? mostCounted : (steps[exceeded - 1] ?? mostCounted));
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

function filterOf({ agentKey, factTypes, removals, about }: VectorFilter) {
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

function singleTerm(term: number): SparseVector {
  return { indices: [term], values: [1] };
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
