import type { SearchResult } from '@mneme/contracts';
import { timestamp } from '../read-model/timestamp.ts';
import { entityText } from '../units/entity-text.ts';
import { cut, maxSentContext } from '../units/shown-units.ts';
import { totalOf } from './activation.ts';
import { type Ranked, towardsOne } from './rerank.ts';

/** In characters; of more than 500 results, each has less of its context. */
const maxContexts = 1_000_000;

/** The results as they are sent. Contexts count nothing in `max_tokens`, so that they have a bound of their own. */
export function toResults(ranked: readonly Ranked[]): SearchResult[] {
  const maxContext = Math.min(maxSentContext, Math.floor(maxContexts / Math.max(1, ranked.length)));
  return ranked.map((each) => toResult(each, maxContext));
}

function toResult({ unit, activation, score }: Ranked, maxContext: number): SearchResult {
  return {
    id: unit._id,
    text: unit.text,
    type: unit.factType,
    activation: towardsOne(totalOf(activation)),
    context: unit.context === null ? null : cut(unit.context, maxContext),
    event_date: timestamp(unit.eventDate),
    score,
    document_id: unit.documentId,
    entities: entityText(unit.entities),
  };
}
