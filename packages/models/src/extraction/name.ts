import { stopWords } from '../text/stop-words.ts';
import { halfNames, knownNames, notNames } from './entity-words.ts';
import type { LexiconEntry } from './lexicon.ts';
import type { NameSpan } from './name-spans.ts';

export interface Name {
  readonly text: string;
  /** Its capital may be only that of a sentence's start. */
  readonly isInitial: boolean;
  /** What stands right in front of it; empty when that was taken off. */
  readonly before: string;
}

/** A word in capitals that is longer is no abbreviation. */
const longestAbbreviation = 6;
/** They begin a name although they are no name alone; and US is not us. */
const exceptions: ReadonlySet<string> = new Set('Mr Mrs Ms Dr Prof Mr. Mrs. Ms. Dr. Prof. St. Mt. US'.split(' '));

/** The name in a span, without the words around it that are none: `Hey Anna's` is `Anna`. Undefined when nothing is left. */
export function nameIn(span: NameSpan, lookUp: (name: string) => LexiconEntry): Name | undefined {
  const words = span.name.split(' ');
  const count = words.length;
  while (words.length > 0 && isNoName(words[0] ?? '')) words.shift();
  const isWholeSpan = words.length === count;
  if (isWholeSpan && span.isInitial && count > 1 && lookUp(words[0] ?? '').isPlainWord) words.shift();
  const isAtStart = words.length === count;
  while (words.length > 0 && isNoName(words.at(-1) ?? '')) words.pop();
  const text = words.join(' ').replace(/['’]s$/, '');
  if (text.length < 2 || !/\p{Lu}/u.test(text) || halfNames.has(text.toLowerCase()) || isShout(text, lookUp))
    return undefined;
  return { text, isInitial: span.isInitial && isAtStart, before: isAtStart ? span.before : '' };
}

function isNoName(word: string): boolean {
  if (exceptions.has(word)) return false;
  const whole = word.toLowerCase().replaceAll('’', "'").replace(/\.$/, '');
  const stem = whole.replace(/'s$/, '');
  return [whole, stem].some((each) => notNames.has(each) || stopWords.has(each));
}

/** A word in capitals is an abbreviation when it is short and no plain word: `NASA`, not `LOVE`. */
function isShout(text: string, lookUp: (name: string) => LexiconEntry): boolean {
  if (!/^\p{Lu}{2,}$/u.test(text) || knownNames.has(text.toLowerCase())) return false;
  return text.length > longestAbbreviation || lookUp(text.toLowerCase()).isPlainWord;
}
