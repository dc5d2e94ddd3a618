import { type CalendarDay, isSameDay } from './calendar.ts';
import { monthNames } from './date-words.ts';
import { type DateRule, type Reference, writtenDay } from './mentions.ts';
import { dayOfFullDate, dayOfStamp, type NumericOrder, orderOf, orderOfStamps, realDay } from './stamps.ts';
import { isVersion } from './version-number.ts';

const year = String.raw`(?:19|20)\d{2}`;
const anyMonth = `(?:${monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|Sept)`;
/** Not within longer numbers, addresses and names of files, not the end of "13.–15.11.2026", and no number of something. */
const start = [
  String.raw`(?<![\w./-]|\b\d{1,2}(?:\.|st|nd|rd|th)?(?: ?[–-] ?| (?:to|until|till|through) ))`,
  String.raw`(?<!\b(?:version|build|number|no|nr|ref|tel|phone|mobile|fax|dial)[.:]{0,2} ?|\+\d{1,4} )`,
].join('');
const end = String.raw`(?![\w/-]|[.,]\w)`;

/** "13.11.2026", "2026/11/13", "13-Nov-2026" and "13/Nov/26", with the numbers of the first two as groups. */
export const numericDay = new RegExp(
  String.raw`${start}(?:(\d{1,2})([./-])(\d{1,2})\2(${year})|(${year})\/(\d{1,2})\/(\d{1,2})|\d{1,2}([./-])${anyMonth}\8(?:${year}|\d{2}))${end}`,
  'gi',
);
/** What has a number such as "3/4/12". */
const notNumbered = String.raw`(?<!\b(?:flat|apartment|apt|suite|unit|room|lot|route|ratio|score|dose|chapter|section|size)[.:]? )`;
/** "3/4/24": a day, but also the month or the year may stand first. */
const shortDay = new RegExp(String.raw`${start}${notNumbered}(\d{1,2})\/(\d{1,2})\/(\d{2})${end}`, 'gi');
const dayAndMonth = new RegExp(String.raw`${start}(\d{1,2})([/-])(\d{1,2})\2${year}${end}`, 'gi');

/** A day that no date comes after, so that each may be meant. */
const lastDay: CalendarDay = { year: 9999, month: 12, day: 31 };

/**
 * The day of a match of `numericDay`; undefined when it is none, and where day and month may be exchanged. Where full stops
 * are used, the day is first.
 */
export function dayOfNumericDay(
  match: RegExpExecArray,
  reference: Pick<Reference, 'today' | 'sentence'>,
  order?: NumericOrder,
): CalendarDay | undefined {
  const day = readNumericDay(match, order);
  if (day === 'unknown' || day === undefined) return undefined;
  return match[2] === '.' && isVersion(day, reference) ? undefined : day;
}

function readNumericDay(match: RegExpExecArray, order: NumericOrder): CalendarDay | 'unknown' | undefined {
  const [date, first, mark, second, third, ...[year, month, dayOfMonth]] = match;
  if (first === undefined && year === undefined) return dayOfFullDate(date);
  const numbers = { first: first ?? year, mark, second: second ?? month, third: third ?? dayOfMonth };
  return dayOfStamp(numbers, mark === '.' ? 'day' : order, lastDay);
}

/**
 * Whether a text has a date, such as "3/4/2024" or "13/4/24", of which the day is not known.
 *
 * @param known a day that the text names, which such a date may repeat: "yesterday (11/15/26)"
 */
export function hasUnknownDay(text: string, order: NumericOrder, known: CalendarDay): boolean {
  const isOther = (first = '', second = '', third = '') =>
    !readings(first, second, third).some((day) => day !== undefined && isSameDay(day, known));
  return (
    text
      .matchAll(numericDay)
      .some((match) => readNumericDay(match, order) === 'unknown' && isOther(match[1], match[3], match[4])) ||
    text
      .matchAll(shortDay)
      .some(([, ...numbers]) => isDayAndMonth(Number(numbers[0]), Number(numbers[1])) && isOther(...numbers))
  );
}

/** With the day, the month or the year first. */
function readings(first: string, second: string, third: string): (CalendarDay | undefined)[] {
  return [realDay(third, second, first), realDay(third, first, second), realDay(first, second, third)];
}

function isDayAndMonth(first: number, second: number): boolean {
  return Math.min(first, second) > 0 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}

/** What the dates of a text, and its stamps, have first, where they do not contradict each other. */
export function orderOfDates(text: string): NumericOrder {
  const inText = orderOf(Array.from(text.matchAll(dayAndMonth), ([, first, , second]) => [first, second]));
  const inStamps = orderOfStamps(text);
  return inText === undefined || inStamps === undefined || inText === inStamps ? (inText ?? inStamps) : undefined;
}

/** @param order what the numeric dates of the whole text have first */
export function numericDayRule(order: NumericOrder): DateRule {
  return {
    pattern: numericDay,
    read: (match, reference) => {
      const day = dayOfNumericDay(match, reference, order);
      return day && writtenDay(day);
    },
  };
}
