import type { LexicalEncoder } from '@mneme/models';
import { type Unit, unitId } from '../read-model/rows.ts';
import type { Hit, UnitPlace } from '../vectors/vector-index.ts';
import { entryShare } from './search-settings.ts';
import { termsOf, type UnitTerms } from './term-weights.ts';
import { speakerOf } from './unit-form.ts';

/** A unit that a search visits, and why. */
export interface Visit extends UnitPlace {
  /** `entry`: found by a search method; `neighbour`: stands beside an entry in a document; `link`: is linked to an entry. */
  readonly by: 'entry' | 'neighbour' | 'link';
}

const distances = [1, -1, 2, -2] as const;

/**
 * The units to visit, at most `budget`: the best entry points, then the neighbours of each in its document, best entry
 * first. The ids of neighbours follow from their positions; some do not exist.
 * @param hasNeighbours false to leave out the neighbours
 */
export function planVisits(entries: readonly Hit[], budget: number, hasNeighbours = true): readonly Visit[] {
  const visits = new Map<string, Visit>();
  const add = (visit: Visit) => {
    if (visits.size < budget && !visits.has(visit.id)) visits.set(visit.id, visit);
  };
  for (const entry of entries.slice(0, Math.ceil(budget * entryShare))) add({ ...entry, by: 'entry' });
  for (const entry of entries) {
    add({ ...entry, by: 'entry' });
    if (hasNeighbours && entry.isInDocument) for (const neighbour of neighboursOf(entry)) add(neighbour);
  }
  return [...visits.values()];
}

function neighboursOf({ operationId, fact }: Hit): Visit[] {
  return distances
    .map((distance) => fact + distance)
    .filter((place) => place >= 0)
    .map((place) => {
      return { id: unitId(operationId, place), operationId, fact: place, isInDocument: true, by: 'neighbour' as const };
    });
}

/** The fields of a unit that a search reads. */
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

/** A unit with everything by which it is ranked, however it was found. */
export interface Candidate {
  readonly unit: FoundUnit;
  readonly terms: UnitTerms;
  /** The speaker, in a conversation. */
  readonly speaker: string | undefined;
  readonly speakerTerms: readonly number[];
  /** The cosine with the question, 0 if unknown. */
  readonly similarity: number;
}

export function candidateOf(unit: FoundUnit, similarity: number, lexical: LexicalEncoder): Candidate {
  const speaker = speakerOf(unit.text);
  const speakerTerms = speaker === undefined ? [] : lexical.query(speaker).indices;
  return { unit, terms: termsOf(unit, lexical), speaker, speakerTerms, similarity };
}
