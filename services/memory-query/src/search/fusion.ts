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
