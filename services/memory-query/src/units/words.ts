/** So many words of one unit can be found by the list's `q`; a context may be megabytes. */
const maxWords = 1_000;
const maxWordLength = 64;

// Scripts that are written without spaces: every character counts as a word.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+/gu;

/** The distinct words of a text, in lower case, without punctuation. */
export function wordsOf(...texts: readonly (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [match] of (text ?? '').toLowerCase().matchAll(word)) {
      if (words.size === maxWords) return [...words];
      words.add(match.slice(0, maxWordLength));
    }
  }
  return [...words];
}
