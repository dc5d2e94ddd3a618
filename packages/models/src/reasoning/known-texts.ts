import { createLexicon, type LexiconEntry, limitedLookUp } from '../extraction/lexicon.ts';
import { isNegated, stopWords } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';
import { type Comparison, comparedWords, comparisonsIn, isExchanged } from './comparisons.ts';

/** A set of texts that finds near-duplicates: texts that share nearly all their words. */
export interface KnownTexts {
  /** @returns undefined when the text was added; otherwise its near-duplicate in the set */
  add(text: string): Duplicate | undefined;
}

/**
 * `rewording`: only texts with the same names and numbers, of which none exchanges two things of the other, are
 * near-duplicates. `update`: numbers and the order may differ, as in a statement that replaces another one.
 */
export type Likeness = 'rewording' | 'update';

export interface Duplicate {
  readonly text: string;
  /** All words are the same that tell what a text is about. */
  readonly isExact: boolean;
}

/** Near-duplicates share at least this part of all their words (Jaccard index). */
const sameShare = 0.8;
/** Per word, a text is compared with only the latest texts, so that a word of all texts does not make the time quadratic. */
const comparedPerWord = 32;
/** Words without a subject of their own, which nevertheless make another statement. */
const tellingWords = new Set(
  `he she they we you his her our their your from before after above below under over more most up down off out without against until
  himself herself themselves hers theirs yours ours`.split(/\s+/),
);
const numberWord =
  /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand|once|twice|first|second|third)$/;
/** A word with a capital letter; "I" is none. */
const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]+/gu;
const sentenceStart = /(?:^|[.!?:])[\s"'“‘(]*$/;
interface Known {
  readonly text: string;
  readonly isNegated: boolean;
  /** In the order of their first occurrence. */
  readonly words: ReadonlySet<string>;
  /** Names and telling words: texts that differ in one of them are about something else. */
  readonly distinctive: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly comparisons: readonly Comparison[];
}

/** @param lexicon tells whether a word at the start of a sentence is a name */
export function createKnownTexts(
  texts: readonly string[],
  likeness: Likeness = 'rewording',
  lexicon: (name: string) => LexiconEntry = createLexicon(),
): KnownTexts {
  const read = createReading(lexicon);
  const identical = new Map<string, Known>();
  const byWord = new Map<string, Known[]>();

  function remember(known: Known): void {
    identical.set(keyOf(known), known);
    for (const word of prefixOf(known)) {
      const others = byWord.get(word) ?? [];
      if (others.push(known) > comparedPerWord) others.shift();
      byWord.set(word, others);
    }
  }

  function find(own: Known): Duplicate | undefined {
    const exact = identical.get(keyOf(own));
    if (exact !== undefined) return { text: exact.text, isExact: true };
    for (const word of prefixOf(own)) {
      const near = byWord.get(word)?.find((other) => isAlike(own, other, likeness));
      if (near !== undefined) return { text: near.text, isExact: false };
    }
    return undefined;
  }

  for (const text of texts) remember(read(text));
  return {
    add: (text) => {
      const own = read(text);
      const found = find(own);
      if (found === undefined) remember(own);
      return found;
    },
  };
}

function createReading(lexicon: (name: string) => LexiconEntry): (text: string) => Known {
  const stem = createStemming();
  const lookUp = limitedLookUp(lexicon);
  return (text) => {
    const spoken = comparedWords(text);
    const own = spoken.filter((word) => tellingWords.has(word) || !stopWords.has(word));
    const names = namesIn(text, lookUp);
    return {
      text,
      // An opinion and its opposite share nearly all words.
      isNegated: isNegated(text),
      words: new Set(own.map(stem)),
      distinctive: new Set(own.filter((word) => tellingWords.has(word) || names.has(word)).map(stem)),
      numbers: new Set(own.filter((word) => numberWord.test(word)).map(stem)),
      comparisons: comparisonsIn(spoken, stem),
    };
  };
}

/** The words with a capital letter; at the start of a sentence only those that have one elsewhere too, or are known names. */
function namesIn(text: string, lookUp: (name: string) => LexiconEntry | undefined): ReadonlySet<string> {
  const [starting, inside]: [string[], string[]] = [[], []];
  for (const { 0: word, index } of text.matchAll(capitalised))
    (sentenceStart.test(text.slice(Math.max(0, index - 3), index)) ? starting : inside).push(word);
  const isName = (word: string) => !stopWords.has(word.toLowerCase()) && lookUp(word)?.type !== undefined;
  return new Set([...inside, ...starting.filter(isName)].flatMap(words));
}

function keyOf({ isNegated, words }: Known): string {
  return `${isNegated} ${[...words].join(' ')}`;
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

function isAlike(left: Known, right: Known, likeness: Likeness): boolean {
  if (left.isNegated !== right.isNegated || shareOf(left.words, right.words) < sameShare) return false;
  const different = left.words.symmetricDifference(right.words);
  if (!different.isDisjointFrom(left.distinctive.union(right.distinctive))) return false;
  if (likeness === 'update') return true;
  if (!different.isDisjointFrom(left.numbers.union(right.numbers))) return false;
  if (areTwoExchanged(left.words, right.words)) return false;
  return !left.comparisons.some((one) => right.comparisons.some((other) => isExchanged(one, other)));
}

/** "Tom helps Anna" and "Anna helps Tom", but not "Tom and Anna". */
function areTwoExchanged(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const others = [...right].filter((word) => left.has(word));
  const common = [...left].filter((word) => right.has(word));
  const [first, second, ...further] = common.flatMap((word, index) => (word === others[index] ? [] : [index]));
  return first !== undefined && second !== undefined && further.length === 0 && second - first > 1;
}

function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 1 : left.intersection(right).size / all;
}
