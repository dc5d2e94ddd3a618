import type { SearchResult } from '@mneme/contracts';
import { timestamp } from '../read-model/timestamp.ts';
import { entityText } from '../units/entity-text.ts';
import { totalOf } from './activation.ts';
import { type Ranked, towardsOne } from './rerank.ts';

/** A result as it is sent. */
export function toResult({ unit, activation, score }: Ranked): SearchResult {
  return {
    id: unit._id,
    text: unit.text,
    type: unit.factType,
    activation: towardsOne(totalOf(activation)),
    context: unit.context,
    event_date: timestamp(unit.eventDate),
    score,
    document_id: unit.documentId,
    entities: entityText(unit.entities),
  };
}
