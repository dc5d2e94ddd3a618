import type { CalendarDay } from '../calendar.ts';
import { month, monthDay, noDayOfMonth, readMonth } from '../date-words.ts';
import { daysFrom, monthsFrom, yearsFrom } from '../day-span.ts';
import type { PhraseRule } from '../find-mentions.ts';
import { everyMonth, everyYear, everyYearInMonth, type Recurring } from '../recurring.ts';
import type { Meant } from './term.ts';

/** Sources of regular expressions. */
const year = String.raw`(?:19|20)\d{2}`;
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
/** Lower case counts where only a month can stand: behind "in", or before a year. */
const lowerMonth = String.raw`(?:(?<=\b(?:[Ii]n|[Dd]uring|[Ss]ince|[Uu]ntil|[Ee]arly|[Ll]ate) )(?:may|march)\b|(?<=\d(?:st|nd|rd|th)? (?:of )?)(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b|(?:may|march|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?=\.?,? (?:of )?${year}\b))`;
const anyMonth = `(?:${month}|${lowerMonth})`;
const notInNumber = String.raw`(?<![\d–/.-] ?)`;
/** "2019 people" is an amount. */
const noYear = String.raw`(?![\w%]|[.,:/]\d| (?:people|persons|guests|times|days|steps|words|points|items|units|pages|dollars|euros|pounds|miles|km|kilometers|meters|metres|kg|calories)\b)`;
/** Behind "the 7th" comes the rest of the sentence, and not what is counted. */
const noCounted = String.raw`(?=\s*(?:$|[?.!,;)]|(?:of (?:last|this|next)|and|or|at|with|in|when|did|was|were|to|until|till|for|from|about|I|we|you|he|she|they)\b))`;

/** Names that people bear. */
const nameMonths = [4, 5, 6, 8];

const monthOfYear: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\b(${anyMonth})(?!\w|['’])`, 'g'),
  read: ([, name = '']) => {
    const number = readMonth(name);
    const isName = nameMonths.includes(number) || /^Jan$/.test(name);
    return { kind: 'month', time: everyYearInMonth(number), isClear: false, isName };
  },
};

const dayOfMonth: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`${notInNumber}\b(?:(${monthDay})(?:st|nd|rd|th)?(?: of)? (${anyMonth})|(${month}) (?:the )?(${monthDay})(?:st|nd|rd|th)?${noDayOfMonth})(?!\w)`,
    'g',
  ),
  read: ({ 0: phrase, 1: before, 2: name, 3: nameBefore, 4: behind, index }) => {
    // "May 5 people come?"
    const isClear = index > 0 || !/^May \d+$/.test(phrase);
    const day = { month: readMonth(name ?? nameBefore ?? ''), day: Number(before ?? behind) };
    return { kind: 'day', time: everyYearOn(day), isClear };
  },
};

const ordinalOfMonth: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\b(${ordinals.join('|')}) of (${month})(?!\w)`, 'g'),
  read: ([, ordinal = '', name = '']) => {
    const day = { month: readMonth(name), day: ordinals.indexOf(ordinal) + 1 };
    return { kind: 'day', time: everyYearOn(day), isClear: true };
  },
};

const daysOfMonth: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`${notInNumber}\b(?:(${monthDay})(?:st|nd|rd|th)? ?(?:-|–|to|and|until|through) ?(${monthDay})(?:st|nd|rd|th)?(?: of)? (${anyMonth})|(${month}) (${monthDay})(?:st|nd|rd|th)? ?(?:-|–|to|and|until|through) ?(${monthDay})(?:st|nd|rd|th)?)(?!\w)`,
    'g',
  ),
  read: ([, first, last, name, nameBefore, firstBehind, lastBehind]) => {
    const day = Number(first ?? firstBehind);
    const count = Number(last ?? lastBehind) - day + 1;
    if (count < 1) return undefined;
    const time = everyYearOn({ month: readMonth(name ?? nameBefore ?? ''), day }, count);
    return { kind: 'period', time, isClear: true };
  },
};

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

/** `2023-05` and `5/2023` */
const numericMonth: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`(?<![\w/-])(?:(${year})-(0[1-9]|1[0-2])|(0?[1-9]|1[0-2])/(${year}))(?![\w/-])`, 'g'),
  read: ([, number, month, monthBefore, numberBehind]) => {
    const day = { year: Number(number ?? numberBehind), month: Number(month ?? monthBefore), day: 1 };
    return { kind: 'month', time: monthsFrom(day), isClear: true };
  },
};

/** `31.12.2023`, and `12/31/2023` where only one of the numbers can be the month. */
const numericDay: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`(?<![\w./-])(\d{1,2})([./])(\d{1,2})\2(${year})(?![\w/-]|\.\d)`, 'g'),
  read: ([, left, separator, right, number]) => {
    const [day, month] = [Number(left), Number(right)];
    const isDayFirst = separator === '.' || day > 12 || day === month;
    if (!isDayFirst && month <= 12) return undefined;
    return readDay(isDayFirst ? { day, month } : { day: month, month: day }, Number(number));
  },
};

function readDay(day: MonthDay, inYear: number): Meant | undefined {
  const time = everyYearOn(day)
    .around({ year: inYear, month: 1, day: 1 })
    .find(({ from }) => from.year === inYear);
  return time && { kind: 'day', time, isClear: true };
}

type MonthDay = Omit<CalendarDay, 'year'>;

/** In the years that have the day. */
function everyYearOn({ month, day }: MonthDay, count = 1): Recurring {
  return everyYear((year) => (isInYear(year, month, day) ? daysFrom({ year, month, day }, count) : undefined));
}

function isInYear(year: number, month: number, day: number): boolean {
  return month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** Dates as a calendar writes them. */
export const dateAtoms: readonly PhraseRule<Meant>[] = [
  daysOfMonth,
  dayOfMonth,
  ordinalOfMonth,
  monthOfYear,
  dayOfAnyMonth,
  numericDay,
  numericMonth,
  calendarYear,
];
