import { stopWords } from '../../text/word-lists.ts';
import { fillerWords, isFiniteVerb, plainWords } from './word-forms.ts';

/**
 * What a sentence is for the facts of its item:
 * - `statement`: states something that can be read alone.
 * - `question`: asks for something.
 * - `fragment`: greets, thanks, agrees, exclaims; states nothing alone.
 * - `dependent`: begins with a word for something before it that is not a person ("It", "This", "They").
 * - `lead`: a heading, or a line that ends with a colon.
 * - `entry`: an entry of a list or a row of a table that is no sentence; `code`: a block of code.
 */
export type StatementKind = 'statement' | 'question' | 'fragment' | 'dependent' | 'lead' | 'entry' | 'code';

/** To somebody. */
export const addresses = /(?<!\p{L})(?:[Yy]ours?|[Yy]ou|[Hh]i|[Hh]ey|[Hh]ello|[Tt]hanks?)(?!\p{L})|[?？](?![\w/])/u;
/** Without "we", as in "Decision: we use Postgres". */
export const soundsSpoken =
  /(?<!\p{L})(?:[Ii](?!\.)|[Mm][ey]|[Yy]ours?|[Yy]ou|[Hh]i|[Hh]ey|[Hh]ello|[Tt]hanks?)(?!\p{L})|[?？](?![\w/])|!(?!\S)/u;
/** The start of a sentence tells its kind; of a longer one no more is read. */
const readLength = 400;
const longestLead = 200;
const shortestAlone = 5;
const pictograph = /\p{L}|\p{N}/u;

const dependentStart =
  /^["'“‘(\s]*(?:(?:and|but|so|because|also) )?(?:it|its|it['’]s|this|that|that['’]s|these|those|they|they['’](?:re|ve|d|ll)|their|such|which|the (?:former|latter|same))\b(?! (?:day|week|month|year|morning|evening|afternoon|weekend|spring|summer|fall|autumn|winter)\b)/i;
const connectedStart =
  /^["'“‘(\s]*(?:because|or|otherwise|therefore|hence|as a result|for example|for instance|e\.g\.)\b/i;
const personSubject =
  /^\W*(?:(?:and|but|so|then|also|well|yes|yeah|no|oh),? )*(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|he|he['’]s|she|she['’]s|my|our)\b/i;
/** "Thanks, Anna!" says nothing about Anna. */
const vocative = /, \p{Lu}[\p{L}\p{M}]{1,29}[.!?]{0,3}$/u;
/** A title of a list has no end of a sentence. */
const longestTitle = 80;
const titleStart = /^\s*(?:\*\*|__)?["'“‘(]?[\p{L}\p{N}]/u;
const sentenceEnd = /[.!?…,;]["'”’)\]*_]*(?:\s|$)/u;
const heading = /^\s*(?:#{1,6}\s|\*\*[^*\n]{1,120}\*\*:?\s*$)/;

/**
 * @param text without the prefix of its speaker
 * @param isEntry whether it is an entry of a list that does not begin with a person
 */
export function kindOf(text: string, isEntry: boolean): StatementKind {
  const start = text.slice(0, readLength);
  if (isLead(text)) return 'lead';
  if (isEntry) return 'entry';
  const asks = isQuestion(text);
  if (statesNothing(start, text.length, asks)) return 'fragment';
  if (asks) return 'question';
  return dependentStart.test(start) || connectedStart.test(start) ? 'dependent' : 'statement';
}

export function isQuestion(text: string): boolean {
  return /[?？]["'”’)\]*_]*$/u.test(text.slice(-20).trimEnd());
}

/** Whether a text begins with a person and a verb, as a statement does and a heading or an entry of a list does not. */
export function hasPersonSubject(text: string): boolean {
  return personSubject.test(text.slice(0, readLength));
}

/** Whether a line directly before a list can be its title: "Shopping list", but not "Anna moved to Rome". */
export function isTitle(text: string): boolean {
  if (text.length > longestTitle || sentenceEnd.test(text) || !titleStart.test(text)) return false;
  const words = plainWords(text);
  if (hasPersonSubject(text) || dependentStart.test(text) || contentOf(words) === 0) return false;
  return !words.some(isFiniteVerb);
}

function contentOf(words: readonly string[]): number {
  return words.filter((word) => !stopWords.has(word) && !fillerWords.has(word)).length;
}

function isLead(text: string): boolean {
  return text.length <= longestLead && (/[:：]\**$/u.test(text.slice(-20).trimEnd()) || heading.test(text));
}

function statesNothing(start: string, length: number, asks: boolean): boolean {
  if (!pictograph.test(start)) return true;
  if (length > readLength) return false;
  const words = plainWords(start.replace(vocative, ''));
  const content = contentOf(words);
  if (content === 0) return true;
  if (asks || content > 1 || words.length >= shortestAlone) return false;
  return !personSubject.test(start) && !isNameWithVerb(words);
}

/** "Luna barks." */
function isNameWithVerb(words: readonly string[]): boolean {
  return words.length > 1 && isFiniteVerb(words[1] ?? '') && !fillerWords.has(words[0] ?? '');
}
