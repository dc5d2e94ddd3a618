import { type ItemDate, isComputable, readItemDate, startOf } from '../calendar.ts';
import { lengthOf } from '../day-span.ts';
import { findMentions } from '../mentions.ts';
import { tenseOf } from '../tense.ts';
import { calendarAtoms } from './calendar-atoms.ts';
import { clarifications, compositions } from './composition.ts';
import { composeTerms, type Reduction, withoutMasks } from './grammar.ts';
import { namedAtoms } from './named-atoms.ts';
import { offsetReductions } from './offsets.ts';
import { coordinations, rangeReductions } from './ranges.ts';
import { relativeAtoms } from './relative-atoms.ts';
import { type Asking, closedSpan, isRecurring, type OpenSpan } from './terms.ts';

/** The time that a question is about. */
export interface TimeWindow {
  /** ISO 8601 in UTC with milliseconds; the first day of year 1 when the start is open ("before 2019"). */
  readonly from: string;
  /** The first instant after it; the last instant of year 9999 when the end is open ("after 2019"). */
  readonly to: string;
  /** The same days in UTC. An event of which only the day is known has midnight in UTC, see `dayOfEvent`. */
  readonly utcDays: { readonly from: string; readonly to: string };
  /** The words of the question that name it. */
  readonly phrase: string;
}

const openStart = '0001-01-01T00:00:00.000Z';
const openEnd = '9999-12-31T23:59:59.999Z';
/** Only the start of a longer question is read. */
const maxCharacters = 2_000;
/** At most this many dates are read, from the start; each may become a part of a larger one. */
const maxMentions = 24;

const atoms = [...relativeAtoms, ...calendarAtoms, ...namedAtoms];
const grammar: readonly Reduction[] = [
  ...compositions,
  ...offsetReductions,
  ...rangeReductions,
  ...clarifications,
  ...coordinations,
];

/**
 * The time window that an English question names: "last spring", "in June 2022", "three days before Christmas".
 *
 * First each date of the question is read on its own (the atoms), then the grammar joins them with the words around
 * them, rule by rule. `temporal-questions.test.ts` has what this is measured by.
 *
 * Days are those of the place of asking: the offset of `questionDate` is taken for the whole window. A date without a
 * year is the last one in a question about the past, and the next one in a question about the future. Several dates
 * joined by "and" or "or" give the time from the first to the last. Of dates that stand apart the shortest counts, then
 * the first. A phrase that may not be a date gives no window, since a wrong one does more harm than none.
 *
 * @param questionDate the moment of asking, ISO 8601; UTC when it has no offset
 * @returns null when the question names no time, or when `questionDate` is not a date
 */
export function findTimeWindow(question: string, questionDate: string): TimeWindow | null {
  const date = readItemDate(questionDate);
  if (date === undefined || !isComputable(date.day)) return null;
  const text = withoutMasks(question.slice(0, maxCharacters));
  const asking = { today: date.day, direction: directionOf(text) };
  const dates = composeTerms(text, findMentions(text, date, atoms, maxMentions), grammar, asking);
  const windows = dates.flatMap((term): Window[] => {
    const span = isRecurring(term.time) ? closedSpan(term, asking) : term.time;
    return term.isClear && span ? [{ span, phrase: term.phrase }] : [];
  });
  const shortest = windows.toSorted((left, right) => daysIn(left.span) - daysIn(right.span))[0];
  return shortest === undefined ? null : timeWindow(shortest, date);
}

interface Window {
  readonly span: OpenSpan;
  readonly phrase: string;
}

function daysIn({ from, to }: OpenSpan): number {
  return from === undefined || to === undefined ? Number.POSITIVE_INFINITY : lengthOf({ from, to });
}

function timeWindow({ span, phrase }: Window, { offsetMinutes }: ItemDate): TimeWindow {
  const daysAt = (offset: number) => ({
    from: span.from ? startOf(span.from, offset) : openStart,
    to: span.to ? startOf(span.to, offset) : openEnd,
  });
  return { ...daysAt(offsetMinutes), utcDays: daysAt(0), phrase: phrase.trim() };
}

const present = /\b(?:is|are|am|do|does|should|can|gets)\b|['’](?:s|re|m)\b|\b(?:have|has)(?: [a-z]{1,20}){0,2} got\b/i;
const planned = /\b(?:planned|scheduled|booked|due|coming up|upcoming) (?:for|on|in)\b/i;

/** A question is about the past unless its words say otherwise. */
function directionOf(question: string): Asking['direction'] {
  const tense = tenseOf(question);
  if (tense === 'future' || planned.test(question)) return 'future';
  return tense === undefined && present.test(question) ? 'nearest' : 'past';
}
