import type { LexicalEncoder } from '@mneme/models';
import { withoutSpeaker } from '../../read-model/speaker.ts';
import { isWithin, type Question } from '../question/question.ts';

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
const note = /\([^()]*\)/g;
const dateInNote = new RegExp(`\\b(?:${months}|spring|summer|autumn|winter)\\b|^\\((?:1[89]|20)\\d\\d\\)$`, 'u');

type Lexical = Pick<LexicalEncoder, 'sequence' | 'isCommon'>;

/** Whether a unit tells what happened at the time that a question is about: to whom it names, if it names somebody. */
export function isOfTime(
  { text, eventDate }: { readonly text: string; readonly eventDate: Date },
  question: Question,
  lexical: Lexical,
): boolean {
  const { isAboutTime, window, topics } = question;
  if (!isAboutTime || !isWithin(eventDate, window) || isMereReply(text, question, lexical)) return false;
  return topics.size === 0 || lexical.sequence(text).some((term) => topics.has(term));
}

/** Words with which one replies; others are among the common words of the encoder. */
const replyWords = 'yeah yep yup nope nah ok okay wow cool thanks haha lol hi hello hey bye awesome oh ah hmm';
const longestReply = 2;

/**
 * Whether a text is nothing but a reply such as "Ana: Yes!" and has none of the words of a question but names: it tells
 * nothing without what it replies to.
 */
export function isMereReply(text: string, { terms, nameTerms }: Question, lexical: Lexical): boolean {
  const said = withoutSpeaker(text);
  if (said === text) return false;
  const words = lexical.sequence(said);
  if (words.length > longestReply || /\p{N}/u.test(said)) return false;
  const replies = new Set(lexical.sequence(replyWords));
  const asked = new Set(terms.map(({ id }) => id)).difference(nameTerms);
  return words.every((term) => !asked.has(term) && (lexical.isCommon(term) || replies.has(term)));
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
