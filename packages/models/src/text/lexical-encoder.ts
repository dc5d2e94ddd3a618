import { readItemDate } from '../dates/calendar.ts';
import { dayText } from '../dates/date-words.ts';
import { hash32 } from './hash.ts';
import { commonWords, stopWords } from './word-lists.ts';
import { createStemming, words } from './words.ts';
/** The form that Qdrant wants: as many values as indices, each index (an unsigned 32-bit number) once. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/** Both sides of BM25, for a store that multiplies with the inverse document frequency (Qdrant: `modifier: idf`). */
export interface LexicalEncoder {
  /** Says which vectors may be compared. Stored beside them. */
  readonly name: string;
  /** The vector of a text that is to be found. Empty when the text has no word; Qdrant takes an empty sparse vector. */
  document(text: string): SparseVector;
  /** The vector of what is searched for. */
  query(text: string): SparseVector;
  /** Whether a term is a word of almost any text, in one of its forms. */
  isCommon(term: number): boolean;
}

/** How soon a term that comes again stops counting. */
const saturation = 1;
/** Of two facts that match alike, the one that says more comes first: at most one percent. */
const bonusPerWord = 0.0002;
const longestWithBonus = 50;

/**
 * BM25 without length normalisation, for facts are of one size (BM15; Robertson and Zaragoza 2009, formula 3.15 with b = 0), split in two:
 * the document's weights hold the saturated term frequency, the query's the number of times that it has the term, and the store brings the
 * inverse document frequency. Measured on conversations, b between 0 and 0.75 only lost recall, for it favours short answers like "Thanks, Anna!".
 */
export function createLexicalEncoder(): LexicalEncoder {
  const stem = createStemming();
  const common = new Set(commonWords.map((word) => hash32(stem(word))));
  return {
    name: 'mneme-bm15-porter-v1',
    document: (text) => {
      const { counts, length } = countTerms(text, stem);
      const bonus = 1 + bonusPerWord * Math.min(length, longestWithBonus);
      return sparse(counts, (count) => (bonus * count * (saturation + 1)) / (count + saturation));
    },
    query: (text) => sparse(countTerms(text, stem).counts, (count) => count),
    isCommon: (term) => common.has(term),
  };
}

function countTerms(text: string, stem: (word: string) => string) {
  const counts = new Map<number, number>();
  let length = 0;
  for (const word of words(text)) {
    if (stopWords.has(word)) continue;
    const id = hash32(stem(word));
    counts.set(id, (counts.get(id) ?? 0) + 1);
    length += 1;
  }
  return { counts, length };
}

function sparse(counts: ReadonlyMap<number, number>, weigh: (count: number) => number): SparseVector {
  const sorted = [...counts].sort(([left], [right]) => left - right);
  return { indices: sorted.map(([id]) => id), values: sorted.map(([, count]) => weigh(count)) };
}

/**
 * What of a fact is indexed, by words and by vector: its text and its date in words, so that a question that names a date finds it.
 *
 * @param fact its text, and its date in ISO 8601 or null
 */
export function indexedText(fact: { readonly text: string; readonly eventDate: string | null }): string {
  const date = fact.eventDate === null ? undefined : readItemDate(fact.eventDate);
  return date === undefined ? fact.text : `${fact.text} (${dayText(date.day)})`;
}
