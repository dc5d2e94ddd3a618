import { ModelError, type Reranker } from '@mneme/models';
import type { Ranked } from './rerank.ts';

/** The configured rerank model, and a callback for its failures. */
export interface CrossEncoder {
  readonly reranker: Reranker;
  readonly onFailure: (error: unknown) => void;
}

export interface CrossEncoded {
  readonly ranked: readonly Ranked[];
  /** Why the order is still that of the heuristic; null if it is the model's. */
  readonly reason: string | null;
}

/** How many of the best results the model reads, which takes a few milliseconds each. */
export const maxCrossEncoded = 100;

/**
 * Sorts the best results of the heuristic by the scores of a rerank model. Results with equal scores stay in the heuristic's
 * order, and so do results without a score, which come last. If the model fails, the order does not change.
 */
export async function crossEncode(
  ranked: readonly Ranked[],
  query: string,
  encoder: CrossEncoder | undefined,
): Promise<CrossEncoded> {
  if (!encoder) return { ranked, reason: 'RERANK_URL is not set' };
  const texts = ranked.slice(0, maxCrossEncoded).map(({ unit }) => unit.text);
  try {
    return { ranked: inOrderOf(await encoder.reranker.score(query, texts), ranked), reason: null };
  } catch (error) {
    encoder.onFailure(error);
    return { ranked, reason: error instanceof ModelError ? error.message : 'The rerank model failed' };
  }
}

function inOrderOf(scores: readonly (number | undefined)[], ranked: readonly Ranked[]): Ranked[] {
  const scored = ranked.flatMap((each, index) => {
    const score = scores[index];
    return score === undefined ? [] : [{ ...each, score, parts: { ...each.parts, cross_encoder: score } }];
  });
  const lowest = scored.reduce((least, { score }) => Math.min(least, score), 1);
  // The heuristic's scores are not comparable with the model's; scaled below its lowest one they keep their order.
  const rest = ranked
    .filter((_, index) => scores[index] === undefined)
    .map((each) => ({
      ...each,
      score: lowest * each.score,
      parts: { ...each.parts, below_cross_encoder: lowest },
    }));
  return [...scored.sort((left, right) => right.score - left.score), ...rest];
}
