import { isDay } from '../calendar.ts';
import { month, monthDay, noDayOfMonth, readMonth, readYearNumber } from '../date-words.ts';
import { daysFrom, monthsFrom, yearsFrom } from '../day-span.ts';
import type { PhraseRule } from '../mentions.ts';
import { dayOfNumericDay, numericDay } from '../numeric-day.ts';
import { everyMonth, everyYear, everyYearInMonth, type Recurring } from '../recurring.ts';
import { clear, type Meant } from './terms.ts';

// Sources of regular expressions.
const year = String.raw`(?:19|20)\d{2}`;
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const ordinalDay = `(${monthDay})(?:st|nd|rd|th)?`;
const abbreviations = 'jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec';
/** Before these, "may" and "march" are months. */
const beforeMonth = String.raw`(?<=\b(?:[Ii]n|[Dd]uring|[Ss]ince|[Uu]ntil|[Ee]arly|[Ll]ate|of|last|next|before|after|by|from) )`;
/** "on the 5th of may", but not "which 5 may come". */
const afterDay = String.raw`(?<=\b(?:(?:on|since|until|till|before|after|by|from|between|and|to|for) (?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?|\d(?:st|nd|rd|th)? of ))`;
/** Lower case counts only where no other word fits: after "in", after a day, or before a year. */
const lowerMonth = String.raw`(?:${beforeMonth}(?:may|march)\b|${afterDay}(?:may|march)\b|(?<=\d(?:st|nd|rd|th)? (?:of )?)(?:${abbreviations})\b|(?:may|march|${abbreviations})\b(?=\.?,? (?:of )?${year}\b))`;
/** "on may 5", "march 3rd", "dec 3", but not "who may 5 people call" or "they march 3 miles". */
const lowerMonthBeforeDay = String.raw`(?:(?<=\b(?:on|since|until|till|before|after|by|from|between|and|to|for) )(?:may|march)\b|(?:may|march)(?= (?:the )?\d{1,2}(?:st|nd|rd|th)\b)|(?:${abbreviations})\b\.?)`;
const anyMonth = `(?:${month}|${lowerMonth})`;
const notInNumber = String.raw`(?<![\d–/.-] ?)`;
/** "2019 people" is an amount. */
const noYear = String.raw`(?![\w%]|[.,:/]\d| (?:people|persons|guests|times|days|steps|words|points|items|units|pages|dollars|euros|pounds|miles|km|kilometers|meters|metres|kg|calories)\b)`;
/** "the 7th" is a day only when the rest of the sentence follows, and not a noun that it counts. */
const noCounted = String.raw`(?=\s*(?:$|[?.!,;)]|(?:of (?:last|this|next)|and|or|at|with|in|when|did|was|were|to|until|till|for|from|about|I|we|you|he|she|they)\b))`;

/** April, May, June and August are first names. */
const nameMonths = [4, 5, 6, 8];

const monthOfYear: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\b(${anyMonth})(?!\w|['’])`, 'g'),
  read: ([, name = '']) => {
    const number = readMonth(name);
    const isName = nameMonths.includes(number) || /^Jan$/.test(name);
    return { kind: 'month', time: everyYearInMonth(number), isClear: false, isName };
  },
};

/** "7 May", "7th of May", "May 7", "the first of May" */
const dayOfMonth: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`${notInNumber}\b(?:(?:${ordinalDay}(?: of)?|(${ordinals.join('|')}) of) (${anyMonth})|(${month}|${lowerMonthBeforeDay}) (?:the )?${ordinalDay}${noDayOfMonth})(?!\w)`,
    'g',
  ),
  read: ({ 0: phrase, 1: before, 2: ordinal = '', 3: name, 4: nameBefore, 5: behind, index }) => {
    const day = Number(before ?? behind ?? ordinals.indexOf(ordinal) + 1);
    // "May 5 people come?"
    const isClear = index > 0 || !/^May \d+$/.test(phrase);
    return { kind: 'day', time: everyYearOn(readMonth(name ?? nameBefore ?? ''), day), isClear };
  },
};

/** "11-15 August", "August 11 to 15", "the 3rd through the 7th of March" */
const daysOfMonth: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`${notInNumber}\b(?:${ordinalDay} ?(?:-|–|to|and|until|through) ?(?:the )?${ordinalDay}(?: of)? (${anyMonth})|(${month}) ${ordinalDay} ?(?:-|–|to|and|until|through) ?${ordinalDay})(?!\w)`,
    'g',
  ),
  read: ([, first, last, name, nameBefore, firstBehind, lastBehind]) => {
    const day = Number(first ?? firstBehind);
    const count = Number(last ?? lastBehind) - day + 1;
    return count < 1 ? undefined : clear(everyYearOn(readMonth(name ?? nameBefore ?? ''), day, count));
  },
};

/** "the 15th", "day 3rd" */
const dayOfAnyMonth: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`(?:\bthe |(?<=day ))(${monthDay})(?:st|nd|rd|th)${noCounted}`, 'gi'),
  read: ([, day]) => ({ kind: 'day', time: everyMonth(Number(day)), isClear: false }),
};

const calendarYear: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`(?<![\w.,:/$€£#])(?:(the year (?=1\d{3}|20\d{2}))|(?=${year}))(\d{4})(?:['’]s\b)?${noYear}`,
    'gi',
  ),
  read: ([, theYear, number]) => ({ kind: 'year', time: yearsFrom(Number(number)), isClear: theYear !== undefined }),
};

/** "Oct '24" */
const shortYear: PhraseRule<Meant> = {
  pattern: /(?<=[a-z],? )['’](\d{2})(?![\w'’])/gi,
  read: ([, digits = '']) => ({
    kind: 'year',
    time: yearsFrom(readYearNumber(digits)),
    isClear: false,
  }),
};

/** `2023-05` */
const numericMonth: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`(?<![\w/-])(${year})-(0[1-9]|1[0-2])(?![\w/-])`, 'g'),
  read: ([, number, month]) => clear(monthsFrom({ year: Number(number), month: Number(month), day: 1 }), 'month'),
};

/** `31.12.2023`, `13-Nov-2023`, and `12/31/2023` where only one of the numbers can be the month. */
const numericDayOfMonth: PhraseRule<Meant> = {
  pattern: numericDay,
  read: (match, reference) => {
    const day = dayOfNumericDay(match, reference);
    return day && clear(daysFrom(day), 'day');
  },
};

/** "on 17/5", where only one of the numbers can be the month; "24/7" is none. */
const numericDayOfYear: PhraseRule<Meant> = {
  pattern: /(?<=\b(?:on|since|until|till|before|after|by|from) )(?!24\/7)(\d{1,2})\/(\d{1,2})(?![\w/-]|\.\d)/g,
  read: ([, left, right]) => {
    const [first, second] = [Number(left), Number(right)];
    if (first <= 12 && second <= 12 && first !== second) return undefined;
    const [day, month] = first > 12 ? [first, second] : [second, first];
    // In a leap year, every day of the calendar is one.
    return isDay({ year: 2024, month, day }) ? clear(everyYearOn(month, day), 'day') : undefined;
  },
};

/** Days from a date on, in the years that have the date. */
function everyYearOn(month: number, day: number, count = 1): Recurring {
  return everyYear((year) => (isDay({ year, month, day }) ? daysFrom({ year, month, day }, count) : undefined));
}

/** Dates as they stand in a calendar. */
export const calendarAtoms: readonly PhraseRule<Meant>[] = [
  daysOfMonth,
  dayOfMonth,
  monthOfYear,
  dayOfAnyMonth,
  numericDayOfMonth,
  numericDayOfYear,
  numericMonth,
  calendarYear,
  shortYear,
];
