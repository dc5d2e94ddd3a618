import { addDays, type CalendarDay, isBefore, isDay, isSameDay } from './calendar.ts';
import { readMonth, readYearNumber } from './date-words.ts';

/** What stands first in the numeric dates of a text; undefined where they do not tell. */
export type NumericOrder = 'day' | 'month' | undefined;

// Sources of regular expressions.

/** What may stand in front of a stamp: exports mark the direction of their lines with characters that nobody sees. */
export const unseen = String.raw`[\u200e\u200f\ufeff]{0,2}`;
/** A date of numbers: `first`, `second` and `third`, with the `mark` between them. */
export const numericDate = String.raw`(?<first>\d{1,4})(?<mark>[./-])(?<second>\d{1,2})[./-](?<third>\d{1,4})`;
/** Between the date and the time of a stamp. */
export const beforeTime = '(?:,|,? (?:at|à))? ';
const half = String.raw`\s?[AaPp]\.?\s?[Mm]\b\.?`;
export const time = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:${half})?`;
const hour = String.raw`(?:[01]?\d|2[0-3])`;
/** A time that is certainly one, unlike `9:14`, which may be a result or a verse: with seconds, or with AM or PM. */
export const exactClock = String.raw`${hour}(?::[0-5]\d:[0-5]\d(?:${half})?|[:.][0-5]\d${half})`;
/** A time without a date: `4.50` is none. */
export const clock = String.raw`(?:${exactClock}|${hour}:[0-5]\d)`;

/** As in exported chats: "4/7/25, 10:15 AM - Nora: ...", "[4/7/25, 10:15:11] Nora: ..." */
const stamps = new RegExp(
  String.raw`^${unseen}\[?(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}(?:\]|${beforeTime}\d{1,2}[:.]\d{2})`,
  'gm',
);

/** By a number above 12: an export writes all its dates alike. */
export function orderOfStamps(text: string): NumericOrder {
  return orderOf(Array.from(text.matchAll(stamps), ([, first, second]) => [first, second]));
}

/** @param dates the first two numbers of each */
export function orderOf(dates: readonly (readonly (string | undefined)[])[]): NumericOrder {
  let isDayFirst = false;
  let isMonthFirst = false;
  for (const [first, second] of dates) {
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? 'day' : 'month';
}

/**
 * The day of a numeric date before a day; undefined when it is none, `unknown` where day and month may be exchanged.
 *
 * @param groups its numbers `first`, `second` and `third`, and the `mark` between them
 */
export function dayOfStamp(
  { first = '', mark, second = '', third = '' }: Readonly<Record<string, string | undefined>>,
  order: NumericOrder,
  said: CalendarDay,
): CalendarDay | 'unknown' | undefined {
  if (first.length === 4) return realDay(first, second, third);
  const days: (CalendarDay | undefined)[] = [];
  if (order !== 'month') days.push(realDay(third, second, first));
  if (order !== 'day' && mark !== '.') days.push(realDay(third, first, second));
  const [day, ...others] = days.filter((each) => each !== undefined);
  if (day === undefined || others.every((other) => isSameDay(other, day))) return day;
  const [past, ...otherPast] = [day, ...others].filter((each) => !isBefore(addDays(said, 1), each));
  return otherPast.length > 0 ? 'unknown' : (past ?? day);
}

/** The day of "2025-04-07", "7 April 2025", "7/Apr/25" or "April 7th, 2025"; undefined when it is none. */
export function dayOfFullDate(date: string): CalendarDay | undefined {
  const [first = '', second = '', third] = date.match(/\d+/g) ?? [];
  if (third !== undefined) return realDay(first, second, third);
  return realDay(second, String(readMonth(/[a-z]{3}/i.exec(date)?.[0] ?? '')), first);
}

/** Undefined for 31 February. */
export function realDay(year: string, month: string, day: string): CalendarDay | undefined {
  const own = { year: readYearNumber(year), month: Number(month), day: Number(day) };
  return own.year >= 1000 && isDay(own) ? own : undefined;
}
