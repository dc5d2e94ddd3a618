import { type CalendarDay, type ItemDate, isComputable, readItemDate, startOf } from '../calendar.ts';
import { lengthOf } from '../day-span.ts';
import { findMentions } from '../find-mentions.ts';
import { tenseOf } from '../tense.ts';
import { attachReductions } from './attach.ts';
import { clarifications } from './clarify.ts';
import { dateAtoms } from './date-atoms.ts';
import { clockAtoms, exactAtoms } from './exact-atoms.ts';
import { namedAtoms } from './named-atoms.ts';
import { offsetReductions } from './offsets.ts';
import { partReductions } from './parts.ts';
import { coordinations, rangeReductions } from './ranges.ts';
import { maskTerms, reduce, remainingTerms, withoutMasks } from './reduction.ts';
import { relativeAtoms } from './relative-atoms.ts';
import { sharedAtoms } from './shared-atoms.ts';
import { type Asking, closedSpan, type Direction, isRecurring, type OpenSpan, type Term } from './term.ts';

/** The time that a question is about. */
export interface TimeWindow {
  /** ISO 8601 in UTC with milliseconds; the first day of year 1 when the start is open ("before 2019"). */
  readonly from: string;
  /** The first instant behind it; the last one of year 9999 when the end is open ("after 2019"). */
  readonly to: string;
  /** The words that say so, as they stand in the question. */
  readonly phrase: string;
}

const openStart = '0001-01-01T00:00:00.000Z';
const openEnd = '9999-12-31T23:59:59.999Z';
/** A longer question is read this far. */
const maxCharacters = 2_000;
/** So many phrases that look like dates are read, from the start: nobody asks for more times at once, and each can become part of a larger one. */
const maxMentions = 24;

const atoms = [...exactAtoms, ...sharedAtoms, ...relativeAtoms, ...dateAtoms, ...namedAtoms];
const grammar = [
  ...attachReductions,
  ...partReductions,
  ...offsetReductions,
  ...rangeReductions,
  ...clarifications,
  ...coordinations,
];

/**
 * The time window that an English question names: "last spring", "in June 2022", "three days before Christmas".
 *
 * Days are those of the place of asking, by the offset of `questionDate`, which is taken to hold for the whole window.
 * A date without a year is the last one for a question about the past, the next one for one about the future.
 * Several dates joined by "and" or "or" give the time from the first to the last; of several that stand apart the
 * shortest counts, then the first. Rather no window than a wrong one: what may be no date gives none.
 *
 * @param questionDate the moment of asking, ISO 8601; without an offset it is UTC
 * @returns null when the question names no time, or `questionDate` is no date
 */
export function findTimeWindow(question: string, questionDate: string): TimeWindow | null {
  const date = readItemDate(questionDate);
  if (date === undefined || !isComputable(date.day)) return null;
  const text = withoutMasks(question.slice(0, maxCharacters));
  const asking = { today: date.day, direction: directionOf(text) };
  const masked = maskTerms(text, findMentions(text, date.day, [...atoms, ...clockAtoms(date)], maxMentions));
  const dates = remainingTerms(reduce(masked, grammar, asking)).filter(({ isClear }) => isClear);
  const windows = dates.flatMap((term) => windowOf(term, asking) ?? []);
  const clearest = windows.toSorted((left, right) => daysIn(left.span) - daysIn(right.span))[0];
  return clearest === undefined ? null : timeWindow(clearest, date);
}

interface Window {
  readonly span: OpenSpan;
  readonly phrase: string;
}

function windowOf(term: Term, asking: Asking): Window | undefined {
  const span = isRecurring(term.time) ? closedSpan(term, asking) : term.time;
  return span && { span, phrase: term.phrase };
}

function daysIn({ from, to }: OpenSpan): number {
  return from === undefined || to === undefined ? Number.POSITIVE_INFINITY : lengthOf({ from, to });
}

function timeWindow({ span, phrase }: Window, { offsetMinutes }: ItemDate): TimeWindow {
  const at = (day: CalendarDay | undefined, otherwise: string) => (day ? startOf(day, offsetMinutes) : otherwise);
  return { from: at(span.from, openStart), to: at(span.to, openEnd), phrase: phrase.trim() };
}

const present = /\b(?:is|are|am|do|does|should|can)\b|['’](?:s|re|m)\b/i;
const planned = /\b(?:planned|scheduled|booked|due|coming up|upcoming) (?:for|on|in)\b/i;

/** What is asked about is past, unless the question says otherwise. */
function directionOf(question: string): Direction {
  const tense = tenseOf(question);
  if (tense === 'future' || planned.test(question)) return 'future';
  return tense === undefined && present.test(question) ? 'nearest' : 'past';
}
