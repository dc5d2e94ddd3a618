import type { SearchResult } from '@mneme/contracts';
import { timestamp } from '../read-model/rows.ts';
import { cut, maxSentContext, shownMetadata } from '../units/shown-units.ts';
import { entityText } from '../units/text.ts';
import { activationOf } from './scoring/activation.ts';
import { type Ranked, towardsOne } from './scoring/rerank.ts';

/** The length of all contexts together, in characters; with more than 500 results, each has less of its context. */
const maxContexts = 1_000_000;

/** The results as they are sent. Contexts do not count towards `max_tokens`, so they have a limit of their own. */
export function toResults(ranked: readonly Ranked[], isRelevant: (each: Ranked) => boolean): SearchResult[] {
  const maxContext = maxContextOf(ranked.length);
  return ranked.map((each) => ({ ...toResult(each, maxContext), relevance: isRelevant(each) ? 'high' : 'low' }));
}

/** How many characters of its context each result may have, by their number. */
export function maxContextOf(results: number): number {
  return Math.min(maxSentContext, Math.floor(maxContexts / Math.max(1, results)));
}

function toResult({ unit, activation, score }: Ranked, maxContext: number) {
  return {
    id: unit._id,
    text: unit.text,
    type: unit.factType,
    activation: towardsOne(activationOf(activation)),
    context: unit.context === null ? null : cut(unit.context, maxContext),
    event_date: timestamp(unit.eventDate),
    score,
    document_id: unit.documentId,
    entities: entityText(unit.entities),
    ...shownMetadata(unit),
  };
}

/** The longest prefix whose tokens fit; stops before the first that does not, even if a later one would. */
export function withinTokens<T extends { readonly tokens: number }>(ranked: readonly T[], maxTokens: number): T[] {
  let left = maxTokens;
  const fitting: T[] = [];
  for (const each of ranked) {
    if (each.tokens > left) break;
    left -= each.tokens;
    fitting.push(each);
  }
  return fitting;
}

/** Those that fit, in their order; what does not fit beside those before it is left out. */
export function eachWithinTokens<T extends { readonly tokens: number }>(ranked: readonly T[], maxTokens: number): T[] {
  let left = maxTokens;
  return ranked.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
