import type { LexicalEncoder } from '@mneme/models';
import type { TermHits } from '../vectors/vector-index.ts';
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

/** Whether more units may have the term than were counted. */
export function isUncounted({ count, counted }: TermHits): boolean {
  return count >= counted;
}

/**
 * Weighs the terms by how rare they are among the agent's own units, whoever else is in the store: `ln((n + 1) / (d + 0.5))`
 * for `d` of `n` units, which is the store's own formula. `d` is counted, but for common terms; for those the share of all
 * agents' units is taken, and at least as many units as were counted.
 * @param hits per term of the question
 * @param terms those of the best units of common terms, by id
 * @param unitCount how many units the agent has
 */
export function weighTerms(
  question: Question,
  hits: readonly TermHits[],
  terms: ReadonlyMap<string, UnitTerms>,
  unitCount: number,
): TermWeights {
  // The store may be behind with one of the two.
  const units = Math.max(unitCount, ...hits.map(({ count }) => count));
  const idf = (having: number) => Math.log((units + 1) / (having + 0.5));
  const frequencies = question.terms.map(({ id, isCommon }, index) => {
    const ofTerm = hits[index] ?? { count: 0, counted: 1, best: undefined };
    const atMost = idf(ofTerm.count);
    return { id, isCommon, idf: isUncounted(ofTerm) ? Math.min(atMost, idfOfStore(id, ofTerm, terms)) : atMost };
  });
  const rarest = idf(0);
  const trust = units / (units + unitsToTrust);
  return new Map(
    frequencies.map(({ id, idf, isCommon }) => {
      const rarity = (trust * idf) / rarest + 1 - trust;
      return [id, { idf, rarity: isCommon ? commonRarity * rarity : rarity }];
    }),
  );
}

/**
 * The store knows the inverse document frequencies over all agents and does not tell them. They follow from the score of
 * the best unit for a single term, `score = idf × weight of the term in that unit`.
 */
function idfOfStore(term: number, { best }: TermHits, terms: ReadonlyMap<string, UnitTerms>): number {
  const weight = best && terms.get(best.id)?.get(term);
  return best && weight ? best.score / weight : Number.POSITIVE_INFINITY;
}
