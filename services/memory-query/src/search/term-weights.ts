import type { LexicalEncoder } from '@mneme/models';
import type { TermHit } from '../vectors/unit-vectors.ts';
import type { Question } from './question.ts';
import { type TermedUnit, TermMemory, type UnitTerms } from './term-memory.ts';

/** How rare a term of the question is: the higher, the more it says that a unit has it. */
export interface TermWeight {
  /** The inverse document frequency. */
  readonly idf: number;
  /** Between 0 and 1; while there are too few units to tell rare words from common ones, only words of almost any text are below 1. */
  readonly rarity: number;
}

export type TermWeights = ReadonlyMap<number, TermWeight>;

/** With so many units, half of a term's rarity is what was counted. */
const unitsToTrust = 300;
/** How rare a word of almost any text is taken to be, beside another one that as many units have. */
const commonRarity = 0.7;

/** One for each encoder, and so for each service that searches. */
const memories = new WeakMap<LexicalEncoder, TermMemory>();

export function termsOf(unit: TermedUnit, lexical: LexicalEncoder): UnitTerms {
  const memory = memories.get(lexical) ?? new TermMemory(lexical);
  memories.set(lexical, memory);
  return memory.termsOf(unit);
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
  best: readonly (TermHit | undefined)[],
  terms: ReadonlyMap<string, UnitTerms>,
  unitCount: number,
): TermWeights {
  const unseen = Math.log(1 + (unitCount + 0.5) / 0.5);
  const frequencies = question.terms.map(({ id, isCommon }, index) => {
    const hit = best[index];
    const weight = hit ? terms.get(hit.id)?.get(id) : undefined;
    return { id, isCommon, idf: hit && weight ? hit.score / weight : unseen };
  });
  const rarest = Math.max(unseen, ...frequencies.map(({ idf }) => idf));
  const trust = unitCount / (unitCount + unitsToTrust);
  return new Map(
    frequencies.map(({ id, idf, isCommon }) => {
      const rarity = (trust * idf) / rarest + 1 - trust;
      return [id, { idf, rarity: isCommon ? commonRarity * rarity : rarity }];
    }),
  );
}
