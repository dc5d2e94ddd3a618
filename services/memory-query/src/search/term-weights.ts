import type { LexicalEncoder } from '@mneme/models';
import { LRUCache } from 'lru-cache';
import { type LexicalUnit, lexicalText } from '../units/text.ts';
import type { TermHits } from '../vectors/vector-index.ts';
import type { Question } from './question.ts';

/** How rare a term of the question is: the higher, the more significant is a unit that has it. */
export interface TermWeight {
  /** The inverse document frequency. */
  readonly idf: number;
  /** Between 0 and 1. With too few units to tell rare words from common ones, only words of almost any text are below 1. */
  readonly rarity: number;
}

export type TermWeights = ReadonlyMap<number, TermWeight>;

/** With so many units, half of a term's rarity is determined by counting. */
const unitsToTrust = 300;
/** The factor for the rarity of words of almost any text. */
const commonRarity = 0.7;

/** One for each encoder, and thus for each service that searches. */
const caches = new WeakMap<LexicalEncoder, TermCache>();

export function termsOf(unit: TermedUnit, lexical: LexicalEncoder): UnitTerms {
  const cache = caches.get(lexical) ?? new TermCache(lexical);
  caches.set(lexical, cache);
  return cache.termsOf(unit);
}

/** Whether more units may have the term than were counted. */
export function isUncounted({ count, counted }: TermHits): boolean {
  return count >= counted;
}

/**
 * Weighs the terms by how rare they are among the agent's own units, whatever other agents have in the store, with the
 * store's formula `ln((n + 1) / (d + 0.5))` for `d` of `n` units. `d` is counted, except for common terms: these have the
 * share of all agents' units, but at least the units that were counted.
 * @param hits for each term of the question
 * @param terms the terms of the best units of common terms, by id of the unit
 * @param unitCount how many units the agent has
 */
export function weighTerms(
  question: Question,
  hits: readonly TermHits[],
  terms: ReadonlyMap<string, UnitTerms>,
  unitCount: number,
): TermWeights {
  // The store may be behind in one of the two values.
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
 * The inverse document frequency over all agents, which the store does not return. It follows from the score of the best
 * unit for a single term, `score = idf × weight of the term in that unit`.
 */
function idfOfStore(term: number, { best }: TermHits, terms: ReadonlyMap<string, UnitTerms>): number {
  const weight = best && terms.get(best.id)?.get(term);
  return best && weight ? best.score / weight : Number.POSITIVE_INFINITY;
}

/** The weight of each term in the text of a unit, as the vector store has it. */
export type UnitTerms = ReadonlyMap<number, number>;

export type TermedUnit = LexicalUnit & { readonly _id: string };

/** The most estimated memory of cached texts and terms, in bytes: those of 15,000 sentences, or of one novel. */
export const maxCachedBytes = 16_000_000;
/** The estimated memory of a term in a map of numbers, and of a unit in addition to its terms. */
const bytesPerTerm = 48;
const bytesPerUnit = 400;

interface CachedTerms extends LexicalUnit {
  readonly terms: UnitTerms;
  readonly bytes: number;
}

/**
 * Caches the terms of units, which repeated searches need again. They depend only on the unit's text, which is compared, so
 * a cached entry is never out of date. The least recently used entries are dropped.
 */
export class TermCache {
  readonly #lexical: LexicalEncoder;
  readonly #units: LRUCache<string, CachedTerms>;

  constructor(lexical: LexicalEncoder, maxBytes = maxCachedBytes) {
    this.#lexical = lexical;
    this.#units = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /** As estimated. */
  get bytes(): number {
    return this.#units.calculatedSize;
  }

  termsOf(unit: TermedUnit): UnitTerms {
    const known = this.#units.get(unit._id);
    if (known && hasSameText(known, unit)) return known.terms;
    const computed = computeTerms(unit, this.#lexical);
    this.#units.set(unit._id, computed);
    return computed.terms;
  }
}

function hasSameText(left: LexicalUnit, right: LexicalUnit): boolean {
  const isOfSameTime = left.eventDate.getTime() === right.eventDate.getTime();
  return isOfSameTime && left.text === right.text && left.source === right.source;
}

function computeTerms({ text, source, eventDate }: LexicalUnit, lexical: LexicalEncoder): CachedTerms {
  const { indices, values } = lexical.document(lexicalText({ text, source, eventDate }));
  const terms = new Map(indices.map((id, index) => [id, values[index] ?? 0]));
  const characters = text.length + (source?.length ?? 0);
  return { text, source, eventDate, terms, bytes: 2 * characters + bytesPerTerm * terms.size + bytesPerUnit };
}
