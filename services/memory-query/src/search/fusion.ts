import type { Hit } from '../vectors/unit-vectors.ts';

/** One method's ranking and how much it counts. */
export interface Ranking {
  readonly hits: readonly Hit[];
  readonly weight: number;
}

/** Smooths the gap between the first ranks; 60 as in the paper. */
const rankConstant = 60;

/**
 * Weighted reciprocal rank fusion: `score = Σ weight / (60 + rank)`, ranks from 1 (Cormack, Clarke and Büttcher, SIGIR 2009),
 * divided by the best possible sum, so that it is between 0 and 1.
 * @returns each id once, best first; equal scores in the order of the ids, so that a search always gives the same order.
 */
export function fuse(rankings: readonly Ranking[]): Hit[] {
  const scores = new Map<string, number>();
  const best = rankings.reduce((sum, { weight }) => sum + weight / (rankConstant + 1), 0);
  for (const { hits, weight } of rankings) {
    for (const [index, { id }] of hits.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (rankConstant + index + 1) / best);
    }
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
}
