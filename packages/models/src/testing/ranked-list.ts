import { words } from '../text/words.ts';
import { documentsOf, type ModelRequest } from './model-request.ts';

/** A body of a rerank answer: the more words of the query a text has, the better it is; best first. */
export function rankedList({ body }: ModelRequest): object {
  const wanted = new Set(words(String(body.query ?? '')));
  const scores = documentsOf(body)
    .map((text, index) => ({ index, score: shareOf(wanted, new Set(words(text))) }))
    .sort((left, right) => right.score - left.score);
  if (body.documents === undefined) return scores;
  return { results: scores.map(({ index, score }) => ({ index, relevance_score: score })), usage: { total_tokens: 7 } };
}

function shareOf(wanted: ReadonlySet<string>, has: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : wanted.intersection(has).size / wanted.size;
}
