import type { Unit } from '../read-model/rows.ts';
import { mostAlike, type SimilarUnit } from './derive-links.ts';
import { linkSettings } from './link-settings.ts';

/** As much of a stored unit as tells whether a new fact is the same again. */
export type Comparable = SimilarUnit & Pick<Unit, 'text' | 'factType' | 'documentKey' | 'entities'>;

const hourMs = 3_600_000;
const negations = /\b(not|no|never|none|without|cannot)\b|n['’]t\b/giu;

/**
 * The unit that a new fact only repeats; undefined when it says something new.
 *
 * It must be alike, of the same time, type and document, for a fact is not to vanish with another document; and numbers,
 * names and negations must agree, which a vector hardly shows: "Room 101" is not "Room 102".
 */
export function repeatedUnit<T extends Comparable>(fact: Unit, similar: readonly T[]): T | undefined {
  return mostAlike(similar).find(
    (other) =>
      other.cosine > linkSettings.duplicateCosine &&
      other.factType === fact.factType &&
      other.documentKey === fact.documentKey &&
      Math.abs(other.eventDate.getTime() - fact.eventDate.getTime()) <= linkSettings.duplicateHours * hourMs &&
      particulars(other) === particulars(fact),
  );
}

function particulars({ text, entities }: Pick<Unit, 'text' | 'entities'>): string {
  const numbers = text.match(/\p{N}+/gu) ?? [];
  const names = entities.map(({ name }) => name.toLowerCase()).sort();
  return JSON.stringify([numbers, names, (text.match(negations) ?? []).length]);
}
