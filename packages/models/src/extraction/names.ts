import { titles } from '../dates/abbreviations.ts';
import { stopWords } from '../text/word-lists.ts';
import { amountWords, halfNames, knownNames, notNames } from './entity-words.ts';
import type { LexiconEntry } from './lexicon.ts';

export interface Name {
  readonly text: string;
  /** Its capital letter may only be that of a sentence start. */
  readonly isInitial: boolean;
  /** The text before it; empty when words were removed there. */
  readonly before: string;
}

/** Longer words in capital letters are not abbreviations. */
const longestAbbreviation = 6;
/** Titles that begin a name, and "US", which is not "us". */
const exceptions: ReadonlySet<string> = new Set([
  ...'Mr Mrs Ms Dr Prof St. Mt. US'.split(' '),
  ...titles.split('|').map((title) => `${title}.`),
]);
const titlesOnly = new RegExp(String.raw`^(?:${titles})\b\.?(?: (?:${titles})\b\.?)*$`);
/** The titles that names are compared without, also without a full stop. */
const comparedTitle = /^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Madam|Mister)\.?$/;
const abbreviatedTitle = new RegExp(String.raw`^(?:${titles})\.$`);
/** "U.S" and "Washington D.C", whose last full stop may also end the sentence. */
const openAbbreviation = /(?:^| )(?:\p{Lu}\.){1,3}\p{Lu}$/u;
/** "A. B. Yehoshua", but not "an A. Anna" */
const startsWithInitials = /^\p{Lu}\. \p{Lu}\. \p{Lu}/u;
const twoInitials = /(?:^| )\p{Lu}\. \p{Lu}\. \p{Lu}/u;

/** "2 GB" */
const unit = /^(?:[KMGTP]i?B|[KMGT]?Hz|[KMG]W|[KM]bps)$/i;

/** The name in a span, without surrounding words: `Hey Anna's` is `Anna`. Undefined when nothing remains. */
export function nameIn(span: NameSpan, lookUp: (name: string) => LexiconEntry): Name | undefined {
  const words = span.name.split(' ');
  if (isAmount(words, span.after)) words.pop();
  const count = words.length;
  const isNoStart = () => isNoName(words[0] ?? '') && !startsWithInitials.test(words.join(' '));
  if (isNoStart() || (span.isInitial && count > 1 && lookUp(words[0] ?? '').isPlainWord)) words.shift();
  while (words.length > 0 && isNoStart()) words.shift();
  const isAtStart = words.length === count;
  while (words.length > 0 && (isNoName(words.at(-1) ?? '') || isAbbreviation(words.at(-1) ?? ''))) words.pop();
  const text = words
    .join(' ')
    .replace(/['’]s$/, '')
    .replace(openAbbreviation, '$&.');
  if (text.length < 2 || !/\p{Lu}/u.test(text) || halfNames.has(text.toLowerCase())) return undefined;
  if (titlesOnly.test(text) || isShout(text, lookUp) || (unit.test(text) && /\d ?$/.test(span.before)))
    return undefined;
  const untitled = withoutTitles(text);
  const title = text.slice(0, text.length - untitled.length);
  if (untitled.length < 2) return undefined;
  const isInitial = span.isInitial && isAtStart && title === '';
  return { text: untitled, isInitial, before: `${isAtStart ? span.before : ''}${title}` };
}

/** A name with at most one title, which names are compared without: `Prof. Dr. Ana Lima` is `Dr. Ana Lima`, `Gen. Grant` is `Grant`. */
export function withoutTitles(name: string): string {
  const words = name.split(' ');
  const count = words.findIndex((word) => !comparedTitle.test(word) && !abbreviatedTitle.test(word));
  if (count < 1) return name;
  const kept = words.slice(0, count).findLast((word) => comparedTitle.test(word));
  return [...(kept === undefined ? [] : [kept]), ...words.slice(count)].join(' ');
}

/** Whether a name has two initials in a row, as only those of persons do: "George R. R. Martin". */
export function hasInitials(name: string): boolean {
  return twoInitials.test(name);
}

/** Whether the number at the end of a name is an amount of what follows, as "500" in "Anna owes Ben 500 dollars". */
function isAmount(words: readonly string[], after: string): boolean {
  if (words.length < 2 || !/^\d+$/.test(words.at(-1) ?? '')) return false;
  return amountWords.has(/^ (\p{L}+)(?![\p{L}\p{N}'’])/u.exec(after)?.[1]?.toLowerCase() ?? '');
}

function isNoName(word: string): boolean {
  if (exceptions.has(word)) return false;
  const whole = word.toLowerCase().replaceAll('’', "'").replace(/\.$/, '');
  const stem = whole.replace(/'s$/, '');
  return [whole, stem].some((each) => notNames.has(each) || stopWords.has(each));
}

/** `Ph.D` and `C.E.O`. Not asked of what begins a name: `J.K. Rowling` is no "jk". */
function isAbbreviation(word: string): boolean {
  return word.includes('.') && notNames.has(word.toLowerCase().replaceAll('.', ''));
}

/** A word in capital letters is an abbreviation only when it is short and not a plain word: `NASA`, not `LOVE`. */
function isShout(text: string, lookUp: (name: string) => LexiconEntry): boolean {
  if (!/^\p{Lu}{2,}$/u.test(text) || knownNames.has(text.toLowerCase())) return false;
  return text.length > longestAbbreviation || lookUp(text.toLowerCase()).isPlainWord;
}

/** A sequence of words written like a name. */
export interface NameSpan {
  readonly name: string;
  /** The capital letter of its first word may only be that of a sentence start. */
  readonly isInitial: boolean;
  /** It begins a heading of more words. */
  readonly isInHeading: boolean;
  /** Up to 30 characters before it. */
  readonly before: string;
  /** Up to 30 characters after it. */
  readonly after: string;
}

const inner = String.raw`[\p{L}\p{M}\p{N}]`;
const capitalised = String.raw`(?:\p{Lu}|\p{Ll}{1,2}\p{Lu}(?=\p{Ll}))${inner}{0,40}(?:['’.&+-](?=${inner})${inner}{1,40}){0,4}\+{0,2}`;
const initials = String.raw`(?:\p{Lu}\.){1,3}(?= ?\p{Lu})`;
const word = `(?:${initials}|${capitalised})`;
const title = String.raw`(?:(?:${titles}|St|Mt)\. ){0,3}`;
const link = '(?:(?:of|de|del|la|di|da|van|von|der|du|&|the) ){0,2}';
const number = String.raw`(?: \d{1,4}[A-Za-z]?(?![\p{L}\p{N}]|[.:,/-]\d|['’%]))?`;
const span = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_@#/'’])${title}${word}(?:(?: |(?<=\.))${link}${word}){0,5}${number}`,
  'gu',
);
/** "## Next steps", but not "# Grafana" */
const headingStart = /(?:^|\n)[ \t>]*#{1,6} $/;
const smallWord = /^ \p{Ll}/u;
const sentenceStart = /(?:^|[.!?:\n…•*>|–—\-"“”«([¿¡])[\s"“'‘«([*_]*$/;

/** "AUTH_409" is no name, nor is a part of it, but "Anna" of "Anna_Meier" is. */
const identifierEnd = /^_[\p{L}\p{N}]/u;
const identifierStart = /(?:^| )(?!\p{Lu}\p{Ll}+$)\S+$/u;

/** All sequences of a text that are written like a name, in text order. */
export function nameSpans(text: string): NameSpan[] {
  return [...text.matchAll(span)].flatMap((match) => {
    const whole = match[0].length;
    const isCut = identifierEnd.test(text.slice(match.index + whole, match.index + whole + 2));
    const name = isCut ? match[0].replace(identifierStart, '') : match[0];
    if (name === '') return [];
    const end = match.index + name.length;
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    const after = text.slice(end, end + 30);
    const isInHeading = headingStart.test(before) && smallWord.test(after);
    return { name, isInitial: isInHeading || sentenceStart.test(before), isInHeading, before, after };
  });
}
