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
  const signature = (text: string) =>
    new Set(
      words(text)
        .filter((word) => !saysLittle(word))
        .map(stem),
    );
  const known = texts.map(signature);
  return {
    add: (text) => {
      const own = signature(text);
      if (known.some((other) => shareOf(own, other) >= sameShare)) return false;
      known.push(own);
      return true;
    },
  };
}

/** "not" is a stop word, but an opinion without it is another opinion. */
function saysLittle(word: string): boolean {
  return stopWords.has(word) && !/^(?:not|no|nor)$|n't$/.test(word);
}

function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 1 : left.intersection(right).size / all;
}
