import type { LexicalEncoder } from '@mneme/models';
import { mapInSlices } from '@mneme/workers/time-slices';
import { withoutSpeaker } from '../../read-model/speaker.ts';
import { isWithin, type Question } from '../question/question.ts';
import type { Candidate } from './activation.ts';
import { namesTime } from './day-words.ts';

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
const note = /\([^()]*\)/g;
const dateInNote = new RegExp(`\\b(?:${months}|spring|summer|autumn|winter)\\b|^\\((?:1[89]|20)\\d\\d\\)$`, 'u');

type Lexical = Pick<LexicalEncoder, 'sequence' | 'isCommon'>;

/** How much of a text is searched for a word, in characters. */
const searchedLength = 1_000;

/** What the visited units have to do with the time that a question is about, by id. */
export interface TimeOfUnits {
  /** Those of the time, with the name that the question has besides, if any. */
  readonly within: ReadonlySet<string>;
  /** Those of the time that tell what the question asks. */
  readonly ofTime: ReadonlySet<string>;
  /** Those of a time in the past that may tell it in another word, mere replies aside. */
  readonly inTime: ReadonlySet<string>;
  /** Those that neither are of that time in the past nor name it, if others tell what the question asks. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Of how many units of another time the text is read. */
const mostRead = 200;

/** Thousands of units may be of the time, and reading one takes 16 µs: other work of the process runs meanwhile. */
export async function timeOfUnits(
  candidates: readonly Candidate[],
  question: Question,
  lexical: Lexical,
): Promise<TimeOfUnits> {
  const ofWindow = ({ unit }: Candidate) => isWithin(unit.eventDate, question.window);
  const read = await mapInSlices(question.isAboutTime ? candidates.filter(ofWindow) : [], reading(question, lexical));
  const ofTime = read.filter(({ isOfTime }) => isOfTime);
  // What is so today, or on Fridays, may have been said at any time.
  const hasOthers = ofTime.length > 0 && question.isAboutPast;
  const others = hasOthers ? candidates.filter((each) => !ofWindow(each)) : [];
  const named = await mapInSlices(others.slice(0, mostRead), ({ unit }) => namesTime(unit, question, lexical));
  return {
    within: idsOf(read.filter(({ isInTime }) => isInTime)),
    ofTime: idsOf(ofTime),
    inTime: idsOf(question.isAboutPast ? read.filter(({ isTold }) => isTold) : []),
    elsewhere: idsOf(others.filter((_, index) => !named[index])),
  };
}

function idsOf(units: readonly Pick<Candidate, 'id'>[]): ReadonlySet<string> {
  return new Set(units.map(({ id }) => id));
}

/** Reads the text of a unit of the time once, for all that is asked of it. */
function reading(question: Question, lexical: Lexical) {
  const { topics, nameTerms } = question;
  const names = topics.intersection(nameTerms);
  const isMereReply = mereReplyTo(question, lexical);
  return ({ id, unit: { text } }: Candidate) => {
    const terms = topics.size === 0 ? [] : lexical.sequence(text.slice(0, searchedLength));
    const hasAny = (wanted: ReadonlySet<number>) => wanted.size === 0 || terms.some((term) => wanted.has(term));
    const isInTime = hasAny(names);
    const isTold = isInTime && !isMereReply(text);
    // It tells what the question asks: what happened, or what it is about besides.
    return { id, isInTime, isTold, isOfTime: isTold && hasAny(topics) };
  };
}

/** Words with which one replies; others are among the common words of the encoder. */
const replyWords = 'yeah yep yup nope nah ok okay wow cool thanks haha lol hi hello hey bye awesome oh ah hmm';
const mostReplyWords = 2;
/** With its speaker, in characters. */
const longestReply = 80;

/**
 * Tells whether a text is nothing but a reply such as "Ana: Yes!" and has none of the words of a question but names: it tells
 * nothing without what it replies to. "Vegetarian: no" does, if that is asked.
 */
export function mereReplyTo({ terms, nameTerms }: Question, lexical: Lexical): (text: string) => boolean {
  const asked = new Set(terms.map(({ id }) => id)).difference(nameTerms);
  const replies = new Set(lexical.sequence(replyWords));
  return (text) => {
    if (text.length > longestReply) return false;
    const said = withoutSpeaker(text);
    if (said === text || /\p{N}|\s\p{Lu}/u.test(said)) return false;
    if (lexical.sequence(text).some((term) => asked.has(term))) return false;
    const words = lexical.sequence(said);
    return words.length <= mostReplyWords && words.every((term) => lexical.isCommon(term) || replies.has(term));
  };
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
