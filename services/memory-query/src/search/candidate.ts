import type { Unit } from '../read-model/rows.ts';
import type { Visit } from './activation.ts';

/** The fields of a unit that a search reads. */
export type FoundUnit = Pick<
  Unit,
  | '_id'
  | 'text'
  | 'factType'
  | 'context'
  | 'eventDate'
  | 'documentId'
  | 'entities'
  | 'tokens'
  | 'mentions'
  | 'confidence'
  | 'role'
  | 'metadata'
>;

/** A visited unit as it was read. */
export interface Candidate extends Visit {
  readonly unit: FoundUnit;
}
