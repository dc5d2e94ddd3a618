import { scopeTerms } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import {
  bestFirst,
  type CompareQuery,
  type Comparison,
  type DaysAtPlace,
  type FindQuery,
  type Hits,
  type RemovedUnits,
  type Scored,
  type SimilarQuery,
  type UnitFilter,
  type VectorFilter,
} from './vector-index.ts';

/** A search, and how many hits it may have. */
interface Limited {
  readonly limit: number;
  readonly [field: string]: unknown;
}

/** Vectors are compared one by one, see `docs/decisions/0049-no-graph-over-vectors.md`. */
const byMeaning = { using: 'dense', with_payload: false, params: { exact: true } } as const;

/** Sends the searches that a question needs in one request. */
export async function find(client: QdrantClient, name: string, query: FindQuery): Promise<Hits<Scored>> {
  const wanted = { ...searchesByMeaning(query), ...searchesByWords(query) };
  const kinds = Object.keys(wanted) as (keyof typeof wanted)[];
  const searches = kinds.map((kind) => wanted[kind]) as Limited[];
  const answers = searches.length === 0 ? [] : await client.queryBatch(name, { searches });
  const points = (kind: keyof typeof wanted) => answers[kinds.indexOf(kind)]?.points ?? [];
  const best = (kind: keyof typeof wanted) => bestOf(points(kind), wanted[kind]?.limit ?? 0);
  return {
    dense: best('dense'),
    window: best('window'),
    words: best('words'),
    passages: best('passages'),
  };
}

function searchesByMeaning(query: FindQuery): { dense?: Limited; window?: Limited } {
  if (!query.meaning) return {};
  const { dense, window } = query.meaning;
  const filter = filterOf(query);
  const best = { ...byMeaning, filter, query: [...dense], limit: query.units };
  return {
    dense: best,
    ...(window && { window: { ...best, filter: within(filter, window) } }),
  };
}

function searchesByWords(query: FindQuery): { words?: Limited; passages?: Limited } {
  if (!query.words || query.words.terms.indices.length === 0) return {};
  const { terms, passages } = query.words;
  const common = { filter: filterOf(query), query: scopeTerms(query.agentKey, terms), with_payload: false };
  return {
    words: { ...common, using: 'words', limit: query.units },
    passages: { ...common, using: 'passage', limit: passages },
  };
}

/** How many of the most similar units tell whether anything is related to a question. */
const closestUnits = 5;

export async function compare(client: QdrantClient, name: string, query: CompareQuery): Promise<Comparison> {
  const { whole, among, sample } = query;
  const common = { ...byMeaning, query: [...whole] };
  const ofHits = { must: [{ has_id: [...among] }] };
  // What is usual for the agent does not depend on what the caller is interested in.
  const usual = ofOrdinals(filterOf({ ...query, factTypes: [], about: undefined }), sample);
  const searches = [
    { ...common, filter: ofHits, limit: Math.max(1, Math.min(closestUnits, among.length)) },
    // All of them: fewer would be the most similar ones.
    { ...common, filter: usual, limit: Math.max(1, sample.length) },
  ];
  const [closest = [], sampled = []] = (await client.queryBatch(name, { searches })).map(({ points }) => points);
  return { closest: closest.map(({ score }) => score), sample: sampled.map(({ score }) => score) };
}

function ofOrdinals(filter: ReturnType<typeof filterOf>, ordinals: readonly number[]) {
  return { ...filter, must: [...filter.must, { key: 'ordinal', match: { any: [...ordinals] } }] };
}

/** Estimated from the index of agents, which takes no time; an exact count takes time in proportion to the units. */
export async function count(client: QdrantClient, name: string, wanted: VectorFilter): Promise<number> {
  return (await client.count(name, { filter: filterOf(wanted), exact: false })).count;
}

/** The same as `isWithin` of a question. */
function within(filter: ReturnType<typeof filterOf>, { from, to, utcDays }: DaysAtPlace) {
  const at = (time: number) => ({ key: 'date', match: { value: time } });
  const between = { must: [dateRange({ from, to })], must_not: [at(utcDays.to)] };
  return { ...filter, must: [...filter.must, { should: [between, at(utcDays.from)] }] };
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
  // If there may be more as similar as a repetition, one may be hidden behind units of other days.
  const crowded = queries.filter(({ repeatedScore }, index) => mayMiss(found[index] ?? [], repeatedScore));
  const sameTime = await searchExactly(
    client,
    name,
    crowded.map((query) => ({ query, minScore: query.repeatedScore, ranges: [dateRange(query.around)] })),
  );
  const repeated = new Map(crowded.map((query, index) => [query, sameTime[index] ?? []]));
  return queries.map((query, index) => {
    const points = [...(found[index] ?? []), ...(repeated.get(query) ?? [])];
    return [...new Set(points.map(({ id }) => String(id)))];
  });
}

/** @param points the most similar ones, best first */
function mayMiss(points: readonly { readonly score: number }[], score: number): boolean {
  return points.length === similarLimit && (points.at(-1)?.score ?? 0) >= score;
}

interface ExactSearch {
  readonly query: SimilarQuery;
  readonly minScore: number;
  readonly ranges: readonly object[];
}

async function searchExactly(client: QdrantClient, name: string, wanted: readonly ExactSearch[]) {
  if (wanted.length === 0) return [];
  const searches = wanted.map(({ query: { agentKey, dense, afterOrdinal, exclude, removals }, minScore, ranges }) => ({
    ...byMeaning,
    query: Array.from(dense),
    filter: {
      must: [
        { key: 'agent', match: { value: agentKey } },
        ...(afterOrdinal > 0 ? [{ key: 'ordinal', range: { gt: afterOrdinal } }] : []),
        ...ranges,
      ] as object[],
      must_not: [...(exclude.length > 0 ? [{ has_id: [...exclude] }] : []), ...removals.map(removedFilter)] as object[],
    },
    score_threshold: minScore,
    limit: similarLimit,
  }));
  return (await client.queryBatch(name, { searches })).map(({ points }) => points);
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

export interface Point {
  readonly id: string | number;
  readonly score: number;
}

/** @param limit how many were asked for */
function bestOf(points: readonly Point[], limit: number): Scored[] {
  const best = points.map(toScored).sort(bestFirst);
  const last = best.at(-1)?.score;
  const isCertain = best.length < limit || best[0]?.score === last;
  return isCertain ? best : best.filter(({ score }) => score !== last);
}

function toScored({ id, score }: Point): Scored {
  return { id: String(id), score };
}
