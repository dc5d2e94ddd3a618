import type { FoundUnit } from '../read-model/remembered.ts';
import type { Visit } from './activation.ts';

/** A visited unit as it was read. */
export interface Candidate extends Visit {
  readonly unit: FoundUnit;
}
