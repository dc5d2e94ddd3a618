import type { LexicalEncoder } from '@mneme/models';
import { withoutSpeaker } from '../../read-model/speaker.ts';
import { isWithin, type Question } from '../question/question.ts';
import type { Candidate } from './activation.ts';
import { namesTime } from './day-words.ts';

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
const note = /\([^()]*\)/g;
const dateInNote = new RegExp(`\\b(?:${months}|spring|summer|autumn|winter)\\b|^\\((?:1[89]|20)\\d\\d\\)$`, 'u');

type Lexical = Pick<LexicalEncoder, 'sequence' | 'isCommon'>;

interface Told {
  readonly text: string;
  readonly eventDate: Date;
}

/** How much of a text is searched for a word, in characters. */
const searchedLength = 1_000;

function hasAny({ text }: Told, terms: ReadonlySet<number>, lexical: Lexical): boolean {
  return lexical.sequence(text.slice(0, searchedLength)).some((term) => terms.has(term));
}

/** Whether a unit is of the time that a question is about, and has the name that the question has besides, if any. */
export function isInTime(unit: Told, { isAboutTime, window, topics, nameTerms }: Question, lexical: Lexical): boolean {
  if (!isAboutTime || !isWithin(unit.eventDate, window)) return false;
  const names = topics.intersection(nameTerms);
  return names.size === 0 || hasAny(unit, names, lexical);
}

/** Whether such a unit tells what the question asks: what happened, or what it is about besides. */
function isOfTime(unit: Told, question: Question, lexical: Lexical): boolean {
  return question.topics.size === 0 || hasAny(unit, question.topics, lexical);
}

/** What the visited units have to do with the time that a question is about, by id. */
export interface TimeOfUnits {
  /** Those of the time that tell what the question asks. */
  readonly ofTime: ReadonlySet<string>;
  /** Those of a time in the past that may tell it in another word, mere replies aside. */
  readonly inTime: ReadonlySet<string>;
  /** Those that neither are of that time in the past nor name it, if others tell what the question asks. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Of how many units of another time the text is read. */
const mostRead = 200;

export function timeOfUnits(candidates: readonly Candidate[], question: Question, lexical: Lexical): TimeOfUnits {
  const told = candidates.filter(
    ({ unit }) => isInTime(unit, question, lexical) && !isMereReply(unit.text, question, lexical),
  );
  const ofTime = told.filter(({ unit }) => isOfTime(unit, question, lexical));
  // What is so today, or on Fridays, may have been said at any time.
  const hasOthers = ofTime.length > 0 && question.isAboutPast;
  const others = hasOthers ? candidates.filter(({ unit }) => !isWithin(unit.eventDate, question.window)) : [];
  const elsewhere = others.filter(({ unit }, index) => index >= mostRead || !namesTime(unit, question, lexical));
  const ids = (units: readonly Candidate[]) => new Set(units.map(({ id }) => id));
  return { ofTime: ids(ofTime), inTime: ids(question.isAboutPast ? told : []), elsewhere: ids(elsewhere) };
}

/** Words with which one replies; others are among the common words of the encoder. */
const replyWords = 'yeah yep yup nope nah ok okay wow cool thanks haha lol hi hello hey bye awesome oh ah hmm';
const mostReplyWords = 2;
/** With its speaker, in characters. */
const longestReply = 80;

/**
 * Whether a text is nothing but a reply such as "Ana: Yes!" and has none of the words of a question but names: it tells
 * nothing without what it replies to. "Vegetarian: no" does, if that is asked.
 */
export function isMereReply(text: string, { terms, nameTerms }: Question, lexical: Lexical): boolean {
  if (text.length > longestReply) return false;
  const said = withoutSpeaker(text);
  if (said === text || /\p{N}|\s\p{Lu}/u.test(said)) return false;
  const asked = new Set(terms.map(({ id }) => id)).difference(nameTerms);
  if (lexical.sequence(text).some((term) => asked.has(term))) return false;
  const words = lexical.sequence(said);
  const replies = new Set(lexical.sequence(replyWords));
  return words.length <= mostReplyWords && words.every((term) => lexical.isCommon(term) || replies.has(term));
}

/** Whether it ends with a question; ignores notes in brackets at the end. */
export function endsWithQuestion(text: string): boolean {
  let rest = text.trimEnd();
  for (let start = startOfNote(rest); start >= 0; start = startOfNote(rest)) rest = rest.slice(0, start).trimEnd();
  return /[?？]$/u.test(rest);
}

/** Whether it contains a date that was resolved when it was stored, such as `yesterday (7 May 2023)`. */
export function hasDate(text: string): boolean {
  return [...text.matchAll(note)].some(([each]) => dateInNote.test(each));
}

const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** The start of the note in brackets at the end of a text; -1 if it has none. */
function startOfNote(text: string): number {
  const close = text.at(-1) ?? '';
  const open = opening[close];
  if (open === undefined) return -1;
  return text.indexOf(open, text.lastIndexOf(close, text.length - 2) + 1);
}
