import { agentKey } from '@mneme/contracts';
import type { EmbeddingModel } from '@mneme/models';
import type { Readable } from '../read-model/reads.ts';
import type { Hit, VectorHits } from '../vectors/vector-index.ts';
import type { Question, Search } from './question.ts';
import type { SearchSettings } from './search-settings.ts';
import type { PhaseClock } from './search-trace.ts';

/** The hits of the single methods, and all of them in one order. */
export interface Retrieval {
  readonly hits: VectorHits;
  readonly entries: readonly Hit[];
  /** The vector of the question. */
  readonly vector: readonly number[];
  /** How many units the agent has. */
  readonly unitCount: number;
}

export interface RetrieveDeps extends Pick<Readable, 'vectors' | 'removals'> {
  readonly embeddings: EmbeddingModel;
}

/** How many hits by meaning are requested from a model that only sees words; more would take time and find nothing new. */
const fewDense = 20;
/** More entry points than this have no effect on what is found. */
const maxEntries = 1_000;

/** Queries the vector index by words, by meaning, and within the time that the question names. */
export async function retrieve(
  { vectors, embeddings, removals }: RetrieveDeps,
  request: Search,
  question: Question,
  settings: SearchSettings,
  clock: PhaseClock,
): Promise<Retrieval> {
  const [dense] = await clock.time('embed', () => embeddings.embed([request.query]));
  if (!dense) throw new Error('The embedding model gave no vector for the query');
  const vector = Array.from(dense);
  const lexicalLimit = Math.min(request.thinkingBudget, maxEntries);
  const query = {
    agentKey: agentKey(request),
    factTypes: request.factTypes,
    dense: vector,
    lexicalLimit,
    removals,
    denseLimit: settings.denseRank < 1 ? Math.min(fewDense, lexicalLimit) : lexicalLimit,
    lexical: { indices: question.terms.map(({ id }) => id), values: question.terms.map(({ count }) => count) },
    window: settings.without.has('window') ? undefined : question.window,
  };
  const [hits, unitCount] = await clock.time('retrieve', () =>
    Promise.all([vectors.search(query), vectors.count(query.agentKey)]),
  );
  const entries = fuse([
    { hits: hits.lexical, weight: 1 },
    { hits: hits.dense, weight: settings.denseRank },
    ...(query.window ? [{ hits: hits.window, weight: 0.5 }] : []),
  ]);
  return { hits, entries, vector, unitCount };
}

/** One method's ranking, best first, and how much it counts. */
export interface Ranking<H> {
  readonly hits: readonly H[];
  readonly weight: number;
}

/** Smooths the gap between the first ranks. Measured on conversations; the 60 of the paper flattens them too much. */
const rankConstant = 10;

/**
 * Weighted reciprocal rank fusion: `score = Σ weight / (10 + rank)`, ranks from 1 (Cormack, Clarke and Büttcher, SIGIR
 * 2009), divided by the best possible sum, so that it is between 0 and 1.
 * @returns each hit once, best first; equal scores in the order of the ids, so that a search always gives the same order
 */
export function fuse<H extends { readonly id: string }>(rankings: readonly Ranking<H>[]): (H & { score: number })[] {
  const fused = new Map<string, H & { score: number }>();
  const best = rankings.reduce((sum, { weight }) => sum + weight / (rankConstant + 1), 0);
  for (const { hits, weight } of rankings) {
    for (const [index, hit] of hits.entries()) {
      const score = (fused.get(hit.id)?.score ?? 0) + weight / (rankConstant + index + 1) / best;
      fused.set(hit.id, { ...hit, score });
    }
  }
  return [...fused.values()].sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
}
