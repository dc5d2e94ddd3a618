import { readItemDate } from '../dates/calendar.ts';
import { dayText } from '../dates/date-words.ts';
import { hash32 } from './hash.ts';
import { plainLetters } from './plain-letters.ts';
import { commonWords, stopWords } from './word-lists.ts';
import { cachedByWord, createStemming, words } from './words.ts';

/** A sparse vector in Qdrant's form: as many values as indices, each index (an unsigned 32-bit number) once. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/** Both sides of BM25, for a store that multiplies them. */
export interface LexicalEncoder {
  /** Vectors of the same name can be compared. Stored with the vectors. */
  readonly name: string;
  /** The vector of a stored text. Empty when the text has no words, which Qdrant accepts. */
  document(text: string): SparseVector;
  /** The vector of a query. */
  query(text: string): SparseVector;
  /** The terms of a text as they follow each other, without stop words. */
  sequence(text: string): number[];
  /** Whether a term is a frequent English word in any of its forms. */
  isCommon(term: number): boolean;
}

/** How fast repetitions of a term lose weight (k1 of BM25). */
const saturation = 1.2;
/** How much a term loses in a longer text (b of BM25). */
const lengthShare = 0.75;
/** Texts up to this number of significant words lose nothing: of two statements the longer one is not about less. */
const usualLength = 50;

/** What French and Italian join to the next word: "l'avion" is found as "avion". */
const elided = /^(?:[cdjlmnst]|qu|dell|all|nell|sull|dall|un)'(?=\p{L}{2})/u;

/**
 * BM25 (Robertson and Zaragoza 2009, formula 3.15) without its inverse document frequency, which belongs to the query. The
 * document weight of a term that occurs `n` times in a text of `l` significant words is `n (k1 + 1) / (n + K)` with
 * `K = k1 (1 - b + b max(1, l / 50))`: lengths are compared with a constant and not with a mean, so that the weights of a
 * text never change. Query weights are the number of occurrences. Accents of Latin letters make no difference.
 */
export function createLexicalEncoder(): LexicalEncoder {
  const stem = createStemming();
  const termOf = cachedByWord((word) => {
    const plain = plainLetters(word.replace(elided, ''));
    return stopWords.has(plain) ? undefined : hash32(stem(plain));
  });
  const common = new Set([...commonWords].map((word) => hash32(stem(word))));
  return {
    name: 'mneme-bm25-porter-v3',
    document: (text) => {
      const { counts, length } = countTerms(text, termOf);
      const K = saturation * (1 - lengthShare + lengthShare * Math.max(1, length / usualLength));
      return sparse(counts, (count) => (count * (saturation + 1)) / (count + K));
    },
    query: (text) => sparse(countTerms(text, termOf).counts, (count) => count),
    sequence: (text) => termsOf(text, termOf),
    isCommon: (term) => common.has(term),
  };
}

function termsOf(text: string, termOf: (word: string) => number | undefined): number[] {
  return words(text)
    .map(termOf)
    .filter((term) => term !== undefined);
}

function countTerms(text: string, termOf: (word: string) => number | undefined) {
  const counts = new Map<number, number>();
  const terms = termsOf(text, termOf);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

function sparse(counts: ReadonlyMap<number, number>, weigh: (count: number) => number): SparseVector {
  const sorted = [...counts].sort(([left], [right]) => left - right);
  return { indices: sorted.map(([id]) => id), values: sorted.map(([, count]) => weigh(count)) };
}

/**
 * The same vector with terms that belong to one scope, such as an agent: in an index that many share, each scope then has
 * lists of its own. Writing or searching one takes no longer because of what others store. Applied twice, it gives the vector
 * back. Two scopes rarely share a term by chance, so an index must still filter by the scope.
 */
export function scopeTerms(scope: string, { indices, values }: SparseVector): SparseVector {
  const mask = hash32(scope);
  return { indices: indices.map((term) => (term ^ mask) >>> 0), values };
}

/**
 * The text by whose words a fact is found: with its date in words, so that a query with a date finds it.
 *
 * @param fact its text, and its date in ISO 8601 or null
 */
export function indexedText(fact: { readonly text: string; readonly eventDate: string | null }): string {
  const date = fact.eventDate === null ? undefined : readItemDate(fact.eventDate);
  return date === undefined ? fact.text : `${fact.text} (${dayText(date.day)})`;
}
