import type { LexicalEncoder } from '@mneme/models';
import type { Unit } from '../read-model/rows.ts';
import type { UnitTerms } from './term-memory.ts';
import { termsOf } from './term-weights.ts';
import { speakerOf } from './unit-form.ts';

/** What a search reads of a unit. */
export type FoundUnit = Pick<
  Unit,
  | '_id'
  | 'text'
  | 'source'
  | 'factType'
  | 'context'
  | 'eventDate'
  | 'documentId'
  | 'documentKey'
  | 'operationId'
  | 'fact'
  | 'entities'
  | 'tokens'
  | 'mentions'
  | 'confidence'
>;

/** A unit with everything that it is judged by, however it was found. */
export interface Candidate {
  readonly unit: FoundUnit;
  readonly terms: UnitTerms;
  /** Who says it, in a conversation. */
  readonly speaker: string | undefined;
  readonly speakerTerms: readonly number[];
  /** The cosine with the question, 0 where it is not known. */
  readonly similarity: number;
}

export function candidateOf(unit: FoundUnit, similarity: number, lexical: LexicalEncoder): Candidate {
  const speaker = speakerOf(unit.text);
  const speakerTerms = speaker === undefined ? [] : lexical.query(speaker).indices;
  return { unit, terms: termsOf(unit, lexical), speaker, speakerTerms, similarity };
}
