import { addDays, type CalendarDay, dayOf, type ItemDate, shiftMonths } from '../calendar.ts';
import { number, numberStart, readNumber, steps } from '../date-words.ts';
import { sharedDayRules } from '../day-rules.ts';
import { daysAround, daysFrom, lengthOf, type PeriodUnit, periodSpan } from '../day-span.ts';
import type { PhraseRule } from '../mentions.ts';
import { periodRules } from '../period-rules.ts';
import { clear, type Meant } from './terms.ts';

const unit = '(minute|hour|day|week|fortnight|month|year)';
export const amount = `(${number}|(?:a )?couple(?: of)?|(?:a )?few|several|some)`;

/** What "a few" and "several" may be. */
const few: readonly [number, number] = [2, 6];

/** The least and the most that an amount may be: 2 and 2 for "two". */
export function readAmount(text: string): readonly [number, number] {
  return /few|several|some/i.test(text) ? few : [readNumber(text), readNumber(text)];
}

/** The day that is `count` units away. */
export function shift(day: CalendarDay, count: number, unitName: string): CalendarDay {
  switch (unitName.toLowerCase()) {
    case 'day':
      return addDays(day, count);
    case 'week':
      return addDays(day, 7 * count);
    case 'fortnight':
      return addDays(day, 14 * count);
    case 'month':
      return shiftMonths(day, count);
    default:
      return shiftMonths(day, 12 * count);
  }
}

/** The same from the time of asking, which hours and minutes need. */
function shiftTime(date: ItemDate, count: number, unitName: string): CalendarDay {
  const minutes = { hour: 60, minute: 1 }[unitName.toLowerCase()];
  return minutes === undefined ? shift(date.day, count, unitName) : dayOf(date, count * minutes);
}

/** "three days ago", "a year and two months ago", "two or three weeks ago", "exactly one year ago", "a few days back", "two weeks from now" */
const ago: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`${numberStart}(exactly )?(?:(${number}) years?(?:,? and|,)? (?=\S+(?: \S+)? months?\b))?${amount}(?:(?: or | to | ?[–-] ?)(${number}))? ${unit}s? (ago today|ago|back|from now|from today)\b`,
    'gi',
  ),
  read: ([, exactly, years, least = '', most = least, name = '', end = ''], { date }) => {
    const isPast = /^(?:ago|back)/i.test(end);
    const months = years === undefined ? 0 : 12 * readNumber(years);
    const [near, far] = [readAmount(least)[0], readAmount(most)[1]].map((count) =>
      shiftTime(date, (isPast ? -1 : 1) * (months + count), name),
    ) as [CalendarDay, CalendarDay];
    const isExact = exactly !== undefined || / today$/i.test(end) || most !== least;
    if (!isExact && lengthOf({ from: near, to: far }) === 0) return clear(roughly(near, name.toLowerCase()));
    return clear(isPast ? { from: far, to: addDays(near, 1) } : { from: near, to: addDays(far, 1) });
  },
};

/** Weeks, months and years are rarely counted to the day. */
function roughly(day: CalendarDay, name: string) {
  if (name === 'month' || name === 'year') return periodSpan(name, 0, day);
  return name === 'week' || name === 'fortnight' ? daysAround(day, 3) : daysFrom(day);
}

/** "this time last year" */
const thisTimeLast: PhraseRule<Meant> = {
  pattern: /\b(?:at )?this (day|time) last (week|month|year)\b/gi,
  read: ([, precision = '', name = ''], { today }) => {
    const isExact = precision.toLowerCase() === 'day' || name.toLowerCase() === 'week';
    return clear(daysAround(shift(today, -1, name), isExact ? 0 : 14));
  },
};

/** "in the last two years", "over the past month", "in the next two weeks": up to today, or from today on. */
const lastUnits: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`\b((?:in|over|during|within|for|throughout) )?((?:the|these) )?(last|past|next|coming|following) (?:${amount} )?${unit}s?\b(?!['’-]| (?:of|before)\b)`,
    'gi',
  ),
  read: ([, preposition, article, which = '', count, name = ''], { date, today }) => {
    const isPhrase = preposition !== undefined && article !== undefined;
    const [, most] = readAmount(count ?? 'one');
    if (!/last|past/i.test(which)) {
      return isPhrase ? clear({ from: today, to: addDays(shiftTime(date, most, name), 1) }) : undefined;
    }
    // "last week" is a week of the calendar, and "in last year's report" is not about the last 365 days.
    const isStretch =
      count !== undefined || isPhrase || (/past/i.test(which) && (preposition ?? article) !== undefined);
    return isStretch ? clear({ from: shiftTime(date, -most, name), to: addDays(today, 1) }) : undefined;
  },
};

/** "last quarter", "the previous month", "the past weekend"; "the end of the month" is about the present one. */
const steppedPeriod: PhraseRule<Meant> = {
  pattern:
    /\b(?:(last|this|next) (quarter)|(?:the )?(?:previous|preceding|past(?= weekend)) (week|weekend|month|quarter|year)|(?<=\b(?:start|beginning|middle|end|half|rest|course|days?|weeks?|weekend|months?|quarter) of )the (week|month|quarter|year))\b(?! of\b)(?:['’]s\b)?/gi,
  read: ([, step = 'last', quarter, before, present], { today }) => {
    const unit = (quarter ?? before ?? present ?? '').toLowerCase() as PeriodUnit;
    return clear(periodSpan(unit, present === undefined ? (steps[step.toLowerCase()] ?? 0) : 0, today));
  },
};

const otherDay: PhraseRule<Meant> = {
  pattern: /(?<!\bon )\bthe other (?:day|night)\b/gi,
  read: (_, { today }) => clear(daysFrom(addDays(today, -10), 10)),
};

/** The rules for facts that apply to questions too. */
const sharedAtoms = [...sharedDayRules, ...periodRules].map(
  ({ pattern, read }): PhraseRule<Meant> => ({
    pattern,
    read: (match, reference) => {
      const span = read(match, reference)?.span;
      return span && clear(span, lengthOf(span) === 1 ? 'day' : 'period');
    },
  }),
);

/** Times that are counted from today. */
export const relativeAtoms: readonly PhraseRule<Meant>[] = [
  ago,
  thisTimeLast,
  ...sharedAtoms,
  lastUnits,
  steppedPeriod,
  otherDay,
];
