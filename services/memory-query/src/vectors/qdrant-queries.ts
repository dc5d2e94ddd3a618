import type { SparseVector } from '@mneme/models';
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
const payload = ['op', 'fact', 'first', 'last', 'document', 'turn', 'appended', 'asks'];

export async function byMeaning(client: QdrantClient, name: string, query: MeaningQuery): Promise<MeaningHits> {
  const { dense, whole, units, window, sample } = query;
  const filter = filterOf(query);
  const best = { filter, query: [...dense], using: 'dense', limit: units, with_payload: payload };
  const compared = { query: [...whole], using: 'dense', with_payload: false };
  // What is usual for the agent does not depend on what the caller is interested in.
  const usual = ofOrdinals(filterOf({ ...query, about: undefined }), sample);
  const searches = [
    best,
    { ...compared, filter, limit: closestUnits },
    { ...compared, filter: usual, limit: Math.max(1, sample.length) },
    ...(window ? [{ ...best, filter: within(filter, window) }] : []),
  ];
  const answers = await client.queryBatch(name, { searches });
  const [byDense = [], closest = [], sampled = [], inWindow = []] = answers.map(({ points }) => points);
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

/** Up to how many units with a term are counted one by one; fewer for the many terms of a question of a page. */
const mostCounted = 64;
const countedTogether = 4_096;
/** For so many terms at most it is asked how frequent they are beyond that. */
const mostFrequent = 64;
/** For more frequent terms it is only asked whether there are more units than this. */
const steps = [128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536] as const;
/** Asked of every term at once, so that only those above it or those below it are left. */
const firstStep = steps.indexOf(1_024);

/** A term that more units have than are counted one by one. */
interface FrequentTerm {
  readonly index: number;
  readonly term: number;
  /** How many of the steps are known to be exceeded. */
  readonly exceeded: number;
  /** Those about which nothing is known yet, and that could be exceeded. */
  readonly left: readonly number[];
}

export async function countTerms(
  client: QdrantClient,
  name: string,
  wanted: VectorFilter,
  terms: readonly number[],
  units: Promise<number>,
): Promise<number[]> {
  if (terms.length === 0) return [];
  const filter = filterOf(wanted);
  const counted = Math.max(1, Math.min(mostCounted, Math.floor(countedTogether / terms.length)));
  const isEstimated = terms.length <= mostFrequent;
  const ofTerm = (term: number) => ({ query: singleTerm(term), using: 'words', filter, with_payload: false });
  const exceeds = (term: number, offset: number) => ({ ...ofTerm(term), limit: 1, offset });
  const searches = [
    ...terms.map((term) => ({ ...ofTerm(term), limit: counted })),
    ...(isEstimated ? terms.map((term) => exceeds(term, steps[firstStep] ?? 0)) : []),
  ];
  const [answers, total] = await Promise.all([client.queryBatch(name, { searches }), units]);
  const found = answers.map(({ points }) => points.length);
  const counts = found.slice(0, terms.length);
  if (!isEstimated) return counts;
  const frequent = terms.flatMap((term, index): FrequentTerm[] => {
    if (counts[index] !== counted) return [];
    if (found[terms.length + index] === 0) return [{ index, term, exceeded: 0, left: steps.slice(0, firstStep) }];
    const left = steps.slice(firstStep + 1).filter((step) => step < total);
    return [{ index, term, exceeded: firstStep + 1, left }];
  });
  const probes = frequent.flatMap(({ term, left }) => left.map((step) => exceeds(term, step)));
  const probed = probes.length === 0 ? [] : await client.queryBatch(name, { searches: probes });
  for (const { index, exceeded, left } of frequent) {
    const more = probed.splice(0, left.length).filter(({ points }) => points.length > 0);
    counts[index] = between(exceeded + more.length);
  }
  return counts;
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
