import { scopeTerms } from '@mneme/models';
import { chunks } from '@mneme/workers/chunks';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { LRUCache } from 'lru-cache';
import { filterOf } from './qdrant-queries.ts';
import type { TermCounts, VectorFilter, VectorIndex } from './vector-index.ts';

/** Up to how many units with a term are counted one by one; fewer for the many terms of a question of a page. */
const mostCounted = 64;
const countedTogether = 4_096;
/** For how many terms it is asked how frequent they are beyond that. A question is searched by as many. */
const mostFrequent = 64;
/** If more than this are frequent, it is not worth the work to find out which of them are the rarest. */
const mostRecounted = 256;
/** For more frequent terms it is only asked whether there are more units than this. */
const steps = [128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536] as const;
/** Asked of every term at once, so that only those above it or those below it are left. */
const firstStep = steps.indexOf(1_024);

/** Of all agents together; an entry has about 200 bytes. */
const mostRemembered = 20_000;
/** How long the frequency of a frequent term is remembered, in milliseconds. */
const rememberedForMs = 60_000;
/** It is counted anew as soon as the agent has this share of its units more or fewer. */
const outdatedFrom = 1 / 16;

/** How many units have a frequent term, and how many units the agent had when it was counted. */
interface Frequency {
  readonly count: number;
  readonly units: number;
}

/**
 * Counts how many units of an agent have each of some terms, see `VectorIndex`. Frequent terms, which are the most work, are
 * remembered for a minute: their counts are estimates in any case. Rare terms are always counted, because a question has an
 * answer or none depending on a single unit.
 */
export function createTermCounter(client: QdrantClient, name: string): VectorIndex['countTerms'] {
  const remembered = new LRUCache<string, Frequency>({ max: mostRemembered, ttl: rememberedForMs });
  const ask = (searches: readonly object[]) => client.queryBatch(name, { searches: [...searches] });

  async function countClosely(wanted: VectorFilter, terms: readonly number[], units: Promise<number>) {
    const keyOf = (term: number) => `${wanted.agentKey}:${term}`;
    // Pending removals are left out of a count, and are over soon.
    const recall = (term: number) => (wanted.removals.length > 0 ? undefined : remembered.get(keyOf(term)));
    const known = new Map(terms.map((term) => [term, recall(term)]));
    const unknown = terms.filter((term) => known.get(term) === undefined);
    const [counts, total] = await Promise.all([countAll(ask, wanted, unknown, units), units]);
    const isOutdated = (term: number) => {
      const frequency = known.get(term);
      return frequency !== undefined && Math.abs(frequency.units - total) >= outdatedFrom * total;
    };
    const again = await countAll(ask, wanted, terms.filter(isOutdated), units);
    for (const [term, count] of [...counts, ...again]) {
      if (count >= mostCounted) remembered.set(keyOf(term), { count, units: total });
    }
    return terms.map((term) => counts.get(term) ?? again.get(term) ?? known.get(term)?.count ?? 0);
  }

  return async (wanted, terms, units) => {
    if (terms.length === 0) return { counts: [], capped: new Set() };
    if (terms.length <= mostFrequent) return { counts: await countClosely(wanted, terms, units), capped: new Set() };
    const few = await countFew(ask, wanted, terms);
    const capped = [...few.capped];
    // With enough rare terms it does not matter how frequent the others are.
    if (terms.length - capped.length >= mostFrequent || capped.length > mostRecounted) return few;
    const recounted = new Map<number, number>();
    for (const some of chunks(capped, mostFrequent)) {
      const counts = await countClosely(wanted, some, units);
      for (const [index, term] of some.entries()) recounted.set(term, counts[index] ?? 0);
    }
    return { counts: terms.map((term, index) => recounted.get(term) ?? few.counts[index] ?? 0), capped: new Set() };
  };
}

/** Sends several searches in one request. */
type Ask = (searches: readonly object[]) => Promise<{ readonly points: readonly unknown[] }[]>;

async function countFew(ask: Ask, wanted: VectorFilter, terms: readonly number[]): Promise<TermCounts> {
  const limit = Math.max(1, Math.floor(countedTogether / terms.length));
  const answers = await ask(terms.map((term) => ({ ...havingTerm(wanted, term), limit })));
  const counts = answers.map(({ points }) => points.length);
  return { counts, capped: new Set(terms.filter((_, index) => counts[index] === limit)) };
}

/** A term that more units have than are counted one by one. */
interface FrequentTerm {
  readonly term: number;
  /** How many of the steps are known to be exceeded. */
  readonly exceeded: number;
  /** Those about which nothing is known yet, and that could be exceeded. */
  readonly left: readonly number[];
}

async function countAll(
  ask: Ask,
  wanted: VectorFilter,
  terms: readonly number[],
  units: Promise<number>,
): Promise<Map<number, number>> {
  if (terms.length === 0) return new Map();
  const exceeds = (term: number, offset: number) => ({ ...havingTerm(wanted, term), limit: 1, offset });
  const [answers, total] = await Promise.all([
    ask([
      ...terms.map((term) => ({ ...havingTerm(wanted, term), limit: mostCounted })),
      ...terms.map((term) => exceeds(term, steps[firstStep] ?? 0)),
    ]),
    units,
  ]);
  const found = answers.map(({ points }) => points.length);
  const counts = new Map(terms.map((term, index) => [term, found[index] ?? 0]));
  const frequent = terms.flatMap((term, index): FrequentTerm[] => {
    if (found[index] !== mostCounted) return [];
    if (found[terms.length + index] === 0) return [{ term, exceeded: 0, left: steps.slice(0, firstStep) }];
    return [{ term, exceeded: firstStep + 1, left: steps.slice(firstStep + 1).filter((step) => step < total) }];
  });
  const probes = frequent.flatMap(({ term, left }) => left.map((step) => exceeds(term, step)));
  const probed = probes.length === 0 ? [] : await ask(probes);
  for (const { term, exceeded, left } of frequent) {
    const more = probed.splice(0, left.length).filter(({ points }) => points.length > 0);
    counts.set(term, between(exceeded + more.length));
  }
  return counts;
}

function havingTerm(wanted: VectorFilter, term: number) {
  const query = scopeTerms(wanted.agentKey, { indices: [term], values: [1] });
  return { query, using: 'words', filter: filterOf(wanted), with_payload: false };
}

/** The middle, on a scale of ratios, between the last step that is exceeded and the next one. */
function between(exceeded: number): number {
  return Math.SQRT2 * (exceeded === 0 ? mostCounted : (steps[exceeded - 1] ?? mostCounted));
}
