import { isNegated, stopWords } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';

/** Remembers texts and tells whether another says the same in nearly the same words. */
export interface KnownTexts {
  /** @returns false when the text was known already; it is known from now on */
  add(text: string): boolean;
}

/** Share of the words, out of those of both texts, from which on two texts are the same. */
const sameShare = 0.8;
/** A text is compared with so many others under each of its words, the latest ones: a word that stands in all texts must not make each be compared with each. */
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
    for (const word of tellingWords(known)) {
      const others = byWord.get(word) ?? [];
      if (others.push(known) > comparedPerWord) others.shift();
      byWord.set(word, others);
    }
  }

  function isKnown(own: Known): boolean {
    if (identical.has(keyOf(own))) return true;
    return tellingWords(own).some((word) => byWord.get(word)?.some((other) => isSame(own, other)));
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
 * Some of the words of a text, such that two texts that are the same share one of these: of two sets that share 80 % of
 * all their words, in one fixed order, a word that both have stands among the first fifth and one more of each (prefix
 * filtering, Chaudhuri, Ganti and Kaushik 2006).
 */
function tellingWords({ words }: Known): string[] {
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
