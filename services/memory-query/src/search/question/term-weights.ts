import type { SparseVector } from '@mneme/models';
import type { Question } from './question.ts';

/** The terms of a question with their weights. */
export interface TermWeights {
  /** For the index: the sum of the products is at most 2.2 for a text that has nothing but the words of the question. */
  readonly vector: SparseVector;
  /** The part of the weight of all terms that those have which no unit has, 0 to 1, apart from terms of the window. */
  readonly missing: number;
  /** Whether the question names somebody or something that no unit names. */
  readonly hasUnknownName: boolean;
  /** Whether it names somebody or something, and units name all of them. */
  readonly hasKnownNames: boolean;
}

/** A question as its words are compared. */
export interface EncodedQuestion {
  readonly weights: TermWeights;
  /** How many units the agent has. */
  readonly unitCount: number;
}

/** A question of a page is searched by its rarest words. */
const mostTerms = 64;
/** The number of units at which half of the weight of a term is determined by counting; fewer tell little about which is rare. */
const unitsToTrust = 10;
/** The factor for words of almost any text. */
const commonWeight = 0.7;

/**
 * Weighs the terms of a question by how rare they are among the agent's own units, whatever other agents have stored, with
 * BM25's inverse document frequency `ln(1 + (n - d + 0.5) / (d + 0.5))` for `d` of `n` units (Robertson and Zaragoza 2009),
 * as far as there are enough units to tell; words of almost any text weigh 0.7 times as much. The weights are divided by their sum, so that all words of the question, each once in a text of usual length, make 1.
 * @param counts for each term of the question
 * @param unitCount how many units the agent has
 */
export function weighTerms(
  { terms, nameTerms, window }: Question,
  counts: readonly number[],
  unitCount: number,
): TermWeights {
  // The store may be behind in one of the two values.
  const units = counts.reduce((most, count) => Math.max(most, count), unitCount);
  const idf = (having: number) => Math.log(1 + (units - having + 0.5) / (having + 0.5));
  const trust = units / (units + unitsToTrust);
  const weighed = terms.map(({ id, count, isCommon }, index) => {
    const having = counts[index] ?? 0;
    const rarity = (trust * idf(having)) / idf(0) + 1 - trust;
    const isMissing = having === 0 && !window?.terms.has(id);
    return { id, weight: count * rarity * (isCommon ? commonWeight : 1), isMissing };
  });
  const rarest = weighed.sort((left, right) => right.weight - left.weight).slice(0, mostTerms);
  const sum = rarest.reduce((total, { weight }) => total + weight, 0) || 1;
  const missing = rarest.filter(({ isMissing }) => isMissing);
  const names = rarest.filter(({ id }) => nameTerms.has(id));
  return {
    vector: { indices: rarest.map(({ id }) => id), values: rarest.map(({ weight }) => weight / sum) },
    missing: missing.reduce((total, { weight }) => total + weight, 0) / sum,
    hasUnknownName: names.some(({ isMissing }) => isMissing),
    hasKnownNames: names.length > 0 && !names.some(({ isMissing }) => isMissing),
  };
}
