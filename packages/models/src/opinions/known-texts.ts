import { isNegated } from '../text/negation.ts';
import { createStemming } from '../text/stems.ts';
import { stopWords } from '../text/stop-words.ts';
import { words } from '../text/words.ts';

/** Remembers texts and tells whether another says the same in nearly the same words. */
export interface KnownTexts {
  /** @returns false when the text was known already; it is known from now on */
  add(text: string): boolean;
}

/** Share of the words, out of those of both texts, from which on two texts are the same. */
const sameShare = 0.8;

export function createKnownTexts(texts: readonly string[]): KnownTexts {
  const stem = createStemming();
  const read = (text: string) => ({
    // An opinion and its opposite share nearly all words.
    isNegated: isNegated(text),
    words: new Set(words(text).flatMap((word) => (stopWords.has(word) ? [] : [stem(word)]))),
  });
  const known = texts.map(read);
  return {
    add: (text) => {
      const own = read(text);
      const isSame = (other: typeof own) =>
        other.isNegated === own.isNegated && shareOf(own.words, other.words) >= sameShare;
      if (known.some(isSame)) return false;
      known.push(own);
      return true;
    },
  };
}

function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 1 : left.intersection(right).size / all;
}
