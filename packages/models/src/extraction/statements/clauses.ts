import { wordSet } from '../../text/word-lists.ts';
import type { Span } from '../sentences.ts';
import { adverbs, isFiniteVerb, plainWords } from './word-forms.ts';

/** Longer sentences are not divided. */
const longestDivided = 400;
const maxClauses = 4;
const fewestWords = 3;

/** What follows one of these may still belong to it, so that the second half alone would state something else. */
const subordinators = wordSet(`
  after although as because before either except how if imagine neither once provided since so than that though till unless until what whatever when
  whenever where whereas wherever whether which while who whom whose why
  agree agreed argue argued ask asked assume assumed believe believed claim claimed decide decided doubt dream dreamed dreamt explain explained fear feared feel felt
  forget forgot guess guessed hear heard hope hoped imagine imagined insist insisted knew know learn learned let make made mean meant mention mentioned
  pretend promise promised realise realised realize realized remember remembered said say says see suggest suggested suppose supposed suspect
  sure tell tells think thinks thought told understand understood want wanted wish wished wonder wondered worried worry would could should might may between both
  saw seen noticed notice found figured recommend recommended believes hopes knows feels thinks wants
`);

const nominatives = wordSet("i we he she i'm i've i'd i'll we're we've we'd we'll he's he'll she's she'll");
const owners = wordSet('my our his her');
const noVerbAfterPronoun = wordSet('and or to both all with for in at on of from by');
/** A second clause with one of these needs the first one. */
const references = wordSet("it it's its this that these those they they're them their there too either both one so");
const joint = /(?:, | |; )(?:and|but) |; /g;

/**
 * Divides a sentence at "and", "but" and semicolons where both sides are clauses with a subject and a verb of their own,
 * in the way of "I moved to Lisbon and my sister works at a bank". Whatever is not certain stays together: reported speech,
 * conditions, quotes, parentheses, and what begins with anything but its subject.
 * @returns the clauses without the words between them; the whole text when it is not divided
 */
export function clausesOf(text: string): Span[] {
  const whole = [{ start: 0, end: text.length }];
  if (text.length > longestDivided || /["“”«»()[\]?？`|]|\p{Ll}:\s/u.test(text)) return whole;
  const clauses: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(joint)) {
    if (clauses.length === maxClauses - 1) break;
    const next = match.index + match[0].length;
    if (!isClause(text.slice(start, match.index), false) || !isClause(text.slice(next), true)) continue;
    clauses.push({ start, end: match.index });
    start = next;
  }
  return start === 0 ? whole : [...clauses, { start, end: text.length }];
}

function isClause(text: string, isSecond: boolean): boolean {
  const words = plainWords(text);
  if (words.length < fewestWords) return false;
  const unsure = isSecond ? references : subordinators;
  if (words.some((word) => unsure.has(word))) return false;
  return hasOwnSubject(text, words, isSecond);
}

function hasOwnSubject(text: string, words: readonly string[], isSecond: boolean): boolean {
  const [first = '', second = '', third = '', fourth = ''] = words;
  if (nominatives.has(first)) return first.includes("'") || isVerbPhrase(second, third, isSecond);
  if (owners.has(first)) return isFiniteVerb(third) || (adverbs.has(third) && isFiniteVerb(fourth));
  return /^\p{Lu}\p{Ll}/u.test(text) && isFiniteVerb(second) && !subordinators.has(first);
}

function isVerbPhrase(word: string, next: string, isSecond: boolean): boolean {
  if (adverbs.has(word)) return isFiniteVerb(next);
  return isSecond ? isFiniteVerb(word) : !noVerbAfterPronoun.has(word);
}
