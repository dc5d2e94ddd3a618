import { isNegated, stopWords } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';

/** A set of texts that finds near-duplicates: texts that share nearly all their words. */
export interface KnownTexts {
  /** @returns false when the text or a near-duplicate is in the set */
  add(text: string): boolean;
}

/** Two texts are near-duplicates when they share at least this part of all their words (Jaccard index). */
const sameShare = 0.8;
/** Per word, a text is compared with only the latest texts, so that a word of all texts does not make the time quadratic. */
const comparedPerWord = 32;

interface Known {
  readonly isNegated: boolean;
  readonly words: ReadonlySet<string>;
}

export function createKnownTexts(texts: readonly string[]): KnownTexts {
  const read = createReading();
  const identical = new Set<string>();
  const byWord = new Map<string, Known[]>();

  function remember(known: Known): void {
    identical.add(keyOf(known));
    for (const word of prefixOf(known)) {
      const others = byWord.get(word) ?? [];
      if (others.push(known) > comparedPerWord) others.shift();
      byWord.set(word, others);
    }
  }

  function isKnown(own: Known): boolean {
    if (identical.has(keyOf(own))) return true;
    return prefixOf(own).some((word) => byWord.get(word)?.some((other) => isSame(own, other)));
  }

  for (const text of texts) remember(read(text));
  return {
    add: (text) => {
      const own = read(text);
      if (isKnown(own)) return false;
      remember(own);
      return true;
    },
  };
}

function createReading(): (text: string) => Known {
  const stem = createStemming();
  return (text) => ({
    // An opinion and its opposite share nearly all words.
    isNegated: isNegated(text),
    words: new Set(words(text).flatMap((word) => (stopWords.has(word) ? [] : [stem(word)]))),
  });
}

function keyOf({ isNegated, words }: Known): string {
  return `${isNegated} ${[...words].sort().join(' ')}`;
}

/**
 * A prefix of the sorted words that two near-duplicates have a word of in common: of two sets that share 80 % of all
 * their words, a common word is among the first fifth, plus one, of each (prefix filtering, Chaudhuri, Ganti and
 * Kaushik 2006).
 */
function prefixOf({ words }: Known): string[] {
  const count = words.size - Math.ceil(sameShare * words.size) + 1;
  return [...words].sort().slice(0, words.size === 0 ? 0 : count);
}

function isSame(left: Known, right: Known): boolean {
  return left.isNegated === right.isNegated && shareOf(left.words, right.words) >= sameShare;
}

function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 1 : left.intersection(right).size / all;
}
