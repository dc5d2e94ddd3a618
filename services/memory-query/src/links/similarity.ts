import type { Unit } from '../read-model/rows.ts';
import { mostAlike, type SimilarUnit } from './derive-links.ts';
import { linkSettings } from './link-settings.ts';
import { statementOf } from './statement.ts';

/** The vector of an event as numbers, from base64 of little-endian float32 values. */
export function vectorOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  // A copy, because the bytes of a small buffer have an arbitrary offset in a shared one.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/**
 * The cosine of the angle between two vectors of the same length, rounded to six digits. Computed here and always in the
 * same order, so that a rebuild gives exactly the same values; the scores of the vector store may differ.
 */
export function cosine(left: Float32Array, right: Float32Array): number {
  const lengths = lengthOf(left) * lengthOf(right);
  return lengths === 0 ? 0 : Math.round((product(left, right) / lengths) * 1e6) / 1e6;
}

/** The compared properties of a unit that a new fact may repeat. */
export type Comparable = SimilarUnit &
  Pick<Unit, 'text' | 'factType' | 'documentKey' | 'submitted' | 'entities' | 'tags' | 'setting'>;

const hourMs = 3_600_000;

/**
 * The unit that a new fact only repeats; undefined when the fact is new, or stays in any case.
 *
 * The unit must be similar and of the same time, type and document, so that the fact does not disappear with another
 * document, nor with a version that is being replaced; and it must have the same metadata, so that a filter finds the fact,
 * and the same setting, because "Refund requested." is about another ticket there. They must also name the same and state the same, because vectors hardly show the difference: to a learned model "bought
 * the house" and "sold the house" are alike (0.96). A repetition that is missed is stored twice; a statement that is taken
 * for a repetition is lost.
 */
export function repeatedUnit<T extends Comparable>(fact: Unit, similar: readonly T[]): T | undefined {
  if (fact.isKept) return undefined;
  const alike = mostAlike(similar).filter(
    (other) =>
      other.cosine > linkSettings.duplicateCosine &&
      other.factType === fact.factType &&
      other.documentKey === fact.documentKey &&
      other.submitted >= fact.version &&
      other.tags.join() === fact.tags.join() &&
      (other.setting ?? null) === (fact.setting ?? null) &&
      Math.abs(other.eventDate.getTime() - fact.eventDate.getTime()) <= linkSettings.duplicateHours * hourMs,
  );
  if (alike.length === 0) return undefined;
  const [names, statement] = [namesOf(fact), statementOf(fact.text)];
  return alike.find((other) => namesOf(other) === names && statementOf(other.text) === statement);
}

function namesOf({ entities }: Pick<Unit, 'entities'>): string {
  return JSON.stringify(entities.map(({ name }) => name.toLowerCase()).sort());
}

/** Cached, because each vector is compared with many others. */
const lengths = new WeakMap<Float32Array, number>();

function lengthOf(vector: Float32Array): number {
  const known = lengths.get(vector) ?? Math.sqrt(product(vector, vector));
  lengths.set(vector, known);
  return known;
}

function product(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] as number) * (right[index] as number);
  return sum;
}
