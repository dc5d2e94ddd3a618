import { ModelError, type Reranker } from '@mneme/models';
import type { Ranked } from './rerank.ts';

/** The rerank model of the configuration, and who is told when it fails. */
export interface CrossEncoder {
  readonly reranker: Reranker;
  readonly onFailure: (error: unknown) => void;
}

export interface CrossEncoded {
  readonly ranked: readonly Ranked[];
  /** Why the order is still that of the heuristic; null when it is the model's. */
  readonly reason: string | null;
}

/** So many of the best are read by the model, which takes some milliseconds for each. */
export const maxCrossEncoded = 100;

/**
 * Orders the best of what the heuristic found by what a rerank model says about them. Equals, and those that it said
 * nothing about, stay in the heuristic's order, the latter behind. A model that fails leaves everything as it was.
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
  // Their own scores are of another kind; below the lowest, they say in which order they come.
  const rest = ranked
    .filter((_, index) => scores[index] === undefined)
    .map((each) => ({ ...each, score: lowest * each.score }));
  return [...scored.sort((left, right) => right.score - left.score), ...rest];
}
