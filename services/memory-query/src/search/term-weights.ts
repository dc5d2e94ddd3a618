import type { LexicalEncoder } from '@mneme/models';
import { type LexicalUnit, lexicalText } from '../units/lexical-text.ts';
import type { Hit } from '../vectors/unit-vectors.ts';
import type { Question } from './question.ts';

/** The weight of each term in the text of a unit, as the vector store has it. */
export type UnitTerms = ReadonlyMap<number, number>;

/** How rare a term of the question is: the higher, the more it says that a unit has it. */
export interface TermWeight {
  /** The inverse document frequency. */
  readonly idf: number;
  /** Between 0 and 1; close to 1 for every term while there are too few units to tell rare words from common ones. */
  readonly rarity: number;
}

export type TermWeights = ReadonlyMap<number, TermWeight>;

/** With so many units, half of a term's rarity is what was counted. */
const unitsToTrust = 300;

export function termsOf(unit: LexicalUnit, lexical: LexicalEncoder): UnitTerms {
  const { indices, values } = lexical.document(lexicalText(unit));
  return new Map(indices.map((id, index) => [id, values[index] ?? 0]));
}

/**
 * The store knows the inverse document frequencies and does not tell them. They follow from the score of the best unit for
 * a single term, `score = idf × weight of the term in that unit`. A term that no unit has is as rare as can be,
 * `ln(1 + (n + 0.5) / 0.5)` for `n` units.
 * @param best per term of the question the best unit for it
 * @param terms those of the best units, by id
 */
export function weighTerms(
  question: Question,
  best: readonly (Hit | undefined)[],
  terms: ReadonlyMap<string, UnitTerms>,
  unitCount: number,
): TermWeights {
  const unseen = Math.log(1 + (unitCount + 0.5) / 0.5);
  const frequencies = question.terms.map(({ id }, index) => {
    const hit = best[index];
    const weight = hit ? terms.get(hit.id)?.get(id) : undefined;
    return { id, idf: hit && weight ? hit.score / weight : unseen };
  });
  const rarest = Math.max(unseen, ...frequencies.map(({ idf }) => idf));
  const trust = unitCount / (unitCount + unitsToTrust);
  return new Map(frequencies.map(({ id, idf }) => [id, { idf, rarity: (trust * idf) / rarest + 1 - trust }]));
}
