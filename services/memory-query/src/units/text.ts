import type { Entity } from '@mneme/contracts';
import { indexedText, plainLetters } from '@mneme/models';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

/** By how many words a unit can be found with the `q` of a list. */
const maxWords = 1_000;
/** In code points, so that no surrogate pair is split. */
const maxWordLength = 64;
/** How many words of an item's context its facts in one event share, and how many each fact keeps at least. */
const maxContextWords = 20_000;
const minContextWords = 32;

/** In scripts without spaces between words every character counts as a word. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Thai}]`;
const word = new RegExp(String.raw`${unspaced}|(?:(?!${unspaced})[\p{L}\p{N}\p{M}_])+`, 'gu');

/** The first distinct words of a text, in lower case, without accents and punctuation; at most `most`. */
export function wordsOf(text: string | null, most = maxWords): string[] {
  const words = new Set<string>();
  for (const [match] of plainLetters((text ?? '').normalize('NFKC').toLowerCase()).matchAll(word)) {
    if (words.size === most) break;
    words.add(cutWord(match));
  }
  return [...words];
}

function cutWord(word: string): string {
  if (word.length <= maxWordLength) return word;
  return [...word.slice(0, 2 * maxWordLength)].slice(0, maxWordLength).join('');
}

/**
 * The words of a context by which each fact of its item is found. Each fact stores them, so there are fewer the more facts
 * the item has.
 * @param facts the number of facts of the item in one event
 */
export function contextWords(context: string, facts: number): string[] {
  const share = Math.floor(maxContextWords / Math.max(1, facts));
  return wordsOf(context, Math.min(maxWords, Math.max(minContextWords, share)));
}

/** The words by which a unit is found, each between spaces: those of its text, then those of its context. */
export function unitWords(text: string, ofContext: readonly string[]): string {
  const words = [...new Set([...wordsOf(text), ...ofContext])].slice(0, maxWords);
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}

/** The words of `unitWords`. */
export function splitWords(words: string): string[] {
  return words.split(' ').filter((word) => word !== '');
}

/** Entities as lists show them: `Name (TYPE), ...`. */
export function entityText(entities: readonly Entity[]): string {
  return entities.map(({ name, type }) => `${name} (${type})`).join(', ');
}

/** The text by whose words a search finds a unit or its passage: with the date in words. */
export function lexicalText(text: string, eventDate: Date): string {
  return indexedText({ text, eventDate: eventDate.toISOString() });
}

/** The tokenizer takes quadratic time on long words; slices make it linear and cost at most one extra token each. */
const sliceLength = 1_000;
const plainText = { disallowedSpecial: new Set<string>() };

/** How many cl100k tokens a text has. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length; start += sliceLength) {
    tokens += countTokens(text.slice(start, start + sliceLength), plainText);
  }
  return tokens;
}

/** Whether a text contains a question. */
export function hasQuestion(text: string): boolean {
  return /[?？]/u.test(text);
}
