/** So many words of one unit can be found by the list's `q`. */
const maxWords = 1_000;
const maxWordLength = 64;
/** So many words of an item's context are kept for all of its facts in one event together, and for each fact at least. */
const maxContextWords = 20_000;
const minContextWords = 32;

// Scripts that are written without spaces: every character counts as a word.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+/gu;

/** The distinct words of a text, in lower case, without punctuation; the first ones, up to `most`. */
export function wordsOf(text: string | null, most = maxWords): string[] {
  const words = new Set<string>();
  for (const [match] of (text ?? '').toLowerCase().matchAll(word)) {
    if (words.size === most) break;
    words.add(match.slice(0, maxWordLength));
  }
  return [...words];
}

/**
 * The words of a context by which each fact of its item is found: fewer, the more facts the item has, since each fact keeps
 * them.
 * @param facts of the item, in one event
 */
export function contextWords(context: string, facts: number): string[] {
  const share = Math.floor(maxContextWords / Math.max(1, facts));
  return wordsOf(context, Math.min(maxWords, Math.max(minContextWords, share)));
}

/** The words by which a unit is found: those of its text, then those of its context. */
export function unitWords(text: string, ofContext: readonly string[]): string[] {
  return [...new Set([...wordsOf(text), ...ofContext])].slice(0, maxWords);
}
