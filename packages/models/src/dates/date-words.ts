import type { CalendarDay } from './calendar.ts';

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const weekdayNames: readonly string[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

/** `7 May 2023` */
export function dayText(day: CalendarDay): string {
  return `${day.day} ${monthText(day)}`;
}

/** `2023-05-07` */
export function isoDayText({ year, month, day }: CalendarDay): string {
  return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
}

/** `May 2023` */
export function monthText(day: CalendarDay): string {
  return `${monthNames[day.month - 1]} ${day.year}`;
}

// Sources of regular expressions that the rules are made of, and what their words mean.

const units = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const upToNineteen = 'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen'.split('|');
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const numberWords = ['', ...units, ...upToNineteen];

const numberWord = String.raw`(?:${upToNineteen.join('|')}|(?:${tens.join('|')})(?:[ -](?:${units.join('|')})\b)?|${units.join('|')})`;
export const number = String.raw`(?:an?|${numberWord}|\d{1,3}|a couple(?: of)?)`;
const anyNumber = String.raw`\b(?:\d{1,3}|an?|${[...units, ...upToNineteen, ...tens].join('|')})`;
/** Where a number is not the end of a larger one, of a range or of a sum: "1.5", "10-15", "two or three", "a year and two". */
export const numberStart = [
  String.raw`\b(?<![\d.,/–-]|\b(?:or|half|hundred|thousand|hundred and|thousand and) `,
  `|${anyNumber}(?:, | ?[–—-] ?| (?:and|to) |,? (?:maybe|perhaps|possibly|even) )`,
  `|${anyNumber} (?:year|yr|month|week|day|hour)s?(?:,? and|,)? )`,
].join('');
/** Excludes what is no exact amount too, "more than two years ago". */
export const wholeNumber = String.raw`${numberStart}(?<!\b(?:than|over|at least) )${number}`;
/** "May" and "March" must be capitalised, since "may" and "march" are verbs. */
export const month = String.raw`(?:May|March|(?:[Jj]anuary|[Ff]ebruary|[Aa]pril|[Jj]une|[Jj]uly|[Aa]ugust|[Ss]eptember|[Oo]ctober|[Nn]ovember|[Dd]ecember)|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)`;
export const monthDay = String.raw`(?:[12]\d|3[01]|0?[1-9])`;
/** Before the last day of a range. */
export const upTo = ' (?:to|until|till|through) ';
export const weekday = `(?:${weekdayNames.join('|')})`;
/** What may stand between a weekday and its date: "Friday, May 12", "Friday evening (May 12)", "Friday the 12th". */
export const beforeDate = `(?: (?:morning|afternoon|evening|night))?(?:,? |,? ?[(–—-] ?)(?:the )?`;
/** A number before one of these is an amount or a range, not a day of the month. */
export const noDayOfMonth = String.raw`(?!\d|[.:,]\d| ?[–-] ?\d|%| (?:people|of us|times|days|years)\b)`;

/** "two", "twenty-five", "a couple of" and "12" as numbers. */
export function readNumber(text: string): number {
  const word = text.toLowerCase();
  if (/^\d/.test(word)) return Number(word);
  if (/^(?:a )?couple/.test(word)) return 2;
  const [first = '', second = ''] = word.split(/[ -]/);
  const ten = 10 * (tens.indexOf(first) + 2);
  return ten >= 20 ? ten + numberWords.indexOf(second) : Math.max(numberWords.indexOf(first), 1);
}

/** "2019" and "'19" as years. */
export function readYearNumber(text: string): number {
  const number = Number(text.replace(/^['’]/, ''));
  if (number >= 100) return number;
  return number + (number < 50 ? 2000 : 1900);
}

/** -1 is the last one, 0 the present one, 1 the next one. */
export const steps: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

/** 1 to 12, by the first three letters; 0 for what names no month. */
export function readMonth(text: string): number {
  const start = text.slice(0, 3).toLowerCase();
  return monthNames.findIndex((name) => name.toLowerCase().startsWith(start)) + 1;
}

/** 0 for Monday to 6 for Sunday. */
export function readWeekday(text: string): number {
  const word = text.toLowerCase();
  return weekdayNames.findIndex((name) => name.toLowerCase() === word);
}
