import { startOf } from './calendar.ts';
import { month, monthDay, readMonth } from './date-words.ts';
import { type DaySpan, daysFrom, monthsFrom, yearsFrom } from './day-span.ts';
import { seasonSpan } from './named-times.ts';
import { dayOfFullDate } from './stamps.ts';

/** Days in UTC: the first instant, and the first one after it; ISO 8601 with milliseconds. */
export interface WrittenDate {
  readonly from: string;
  readonly to: string;
}

const year = String.raw`(?:1[89]|20)\d\d`;
const day = `${monthDay}(?:st|nd|rd|th)?`;
const forms = [
  String.raw`\b(?:(?<period>week|weekend) of )?(?<date>(?:${day} (?:of )?)?(?<month>${month})(?: ${day})?(?:,| of)? (?<yearOfMonth>${year}))`,
  String.raw`\b(?<isoDay>${year}-\d\d-\d\d)`,
  String.raw`\b(?<season>[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)(?: of)? (?<yearOfSeason>${year})`,
  String.raw`(?:\(|\b[Ii]n )(?<year>${year})`,
];
const anyForm = new RegExp(String.raw`(?:${forms.join('|')})(?!\w|-\d)`, 'g');

/**
 * The dates of a text that have their year, in text order: those that extraction adds behind relative ones, as in
 * `yesterday (7 May 2023)`, and others such as "on May 7th, 2023", "in May 2023" and "in 2023".
 */
export function writtenDates(text: string): WrittenDate[] {
  return Array.from(text.matchAll(anyForm), ({ groups = {} }) => spanOf(groups))
    .filter((span) => span !== undefined)
    .map(({ from, to }) => ({ from: startOf(from, 0), to: startOf(to, 0) }));
}

const daysOf: Readonly<Record<string, number>> = { week: 7, weekend: 2 };

function spanOf(groups: Readonly<Record<string, string | undefined>>): DaySpan | undefined {
  const { period = '', date, month, yearOfMonth, isoDay, season, yearOfSeason, year } = groups;
  if (season !== undefined) return seasonSpan(season, Number(yearOfSeason));
  if (year !== undefined) return yearsFrom(Number(year));
  const first = dayOfFullDate(date ?? isoDay ?? '');
  if (first !== undefined) return daysFrom(first, daysOf[period]);
  if (month === undefined) return undefined;
  return monthsFrom({ year: Number(yearOfMonth), month: readMonth(month), day: 1 });
}
