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

const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

export const number = String.raw`(?:an?|${numberWords.join('|')}|\d{1,3}|a couple(?: of)?)`;
/** Excludes "1.5 years ago", "10-15 years ago" and "two or three weeks ago". */
export const wholeNumber = String.raw`(?<![\d.,/–-]|\b(?:or|half) )\b${number}`;
/** "May" and "March" must be capitalised, since "may" and "march" are verbs. */
export const month = String.raw`(?:May|March|(?:[Jj]anuary|[Ff]ebruary|[Aa]pril|[Jj]une|[Jj]uly|[Aa]ugust|[Ss]eptember|[Oo]ctober|[Nn]ovember|[Dd]ecember)|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)`;
export const monthDay = String.raw`(?:[12]\d|3[01]|0?[1-9])`;
export const weekday = `(?:${weekdayNames.join('|')})`;
/** A number before one of these is an amount or a range, not a day of the month. */
export const noDayOfMonth = String.raw`(?!\d|[.:,]\d| ?[–-] ?\d|%| (?:people|of us|times|days|years)\b)`;

/** "two", "a couple of" and "12" as numbers. */
export function readNumber(text: string): number {
  const word = text.toLowerCase();
  if (/^\d/.test(word)) return Number(word);
  if (/^(?:a )?couple/.test(word)) return 2;
  return Math.max(numberWords.indexOf(word) + 1, 1);
}

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
