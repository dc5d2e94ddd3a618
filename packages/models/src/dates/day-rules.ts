import { addDays, type CalendarDay, isDay, shiftMonths } from './calendar.ts';
import { isAhead } from './clause.ts';
import {
  dayText,
  month,
  monthDay,
  monthNames,
  monthText,
  noDayOfMonth,
  number,
  readMonth,
  readNumber,
  readYearNumber,
  steps,
  upTo,
  wholeNumber,
} from './date-words.ts';
import { daysAround, monthsFrom, yearsFrom } from './day-span.ts';
import { type DateRule, type Meaning, oneDay, type Reference, writtenDay } from './mentions.ts';
import { dayOfMissingYear, monthOfMissingYear } from './missing-year.ts';
import { isRearranged } from './rearranged.ts';
import { dayOfFullDate } from './stamps.ts';
import { isBesideWeekday, sharedWeekdayRules, weekdayRules } from './weekday-rules.ts';

const nearDays: Readonly<Record<string, number>> = {
  'the day before yesterday': -2,
  yesterday: -1,
  'last night': -1,
  today: 0,
  tonight: 0,
  'this morning': 0,
  'this afternoon': 0,
  'this evening': 0,
  tomorrow: 1,
  'the day after tomorrow': 2,
};

const nearDay: DateRule = {
  pattern: new RegExp(
    String.raw`(?<!ago )\b(${Object.keys(nearDays).join('|')})\b(?!-)(?:(?<!today)['’]s\b|(?!['’]s))`,
    'gi',
  ),
  read: (match, { today }) => {
    const days = nearDays[match[1]?.toLowerCase() ?? ''];
    return days === undefined ? undefined : oneDay(addDays(today, days));
  },
};

const ago: DateRule = {
  pattern: new RegExp(
    String.raw`(?:(${wholeNumber}) years?(?:,? and|,)? (${number}) months?|(${wholeNumber}) (day|week|month|year)s?) (ago|from (?:now|today|tomorrow))\b`,
    'gi',
  ),
  read: (match, { today, sentence }) => {
    const [, years, months, amount = '', unit = 'month', end] = match;
    const count = years === undefined ? readNumber(amount) : 12 * readNumber(years) + readNumber(months ?? '');
    // "on Friday two weeks ago" is another day.
    if (/^(?:day|week)$/i.test(unit) && isBesideWeekday(sentence())) return undefined;
    const from = end?.toLowerCase() === 'from tomorrow' ? addDays(today, 1) : today;
    return inUnits(end?.toLowerCase() === 'ago' ? -count : count, unit, from);
  },
};

/** "in two weeks" may also be how long something took, so it is a date only in a sentence about what is to come. */
const inSome: DateRule = {
  pattern: new RegExp(
    String.raw`\bin (${number}) (day|week|month|year)s?(?:['’]s?)?( time\b)?(?!\w| of\b| or\b|,? and (?:a half|${number} (?:day|week|month)s?)\b)`,
    'gi',
  ),
  read: (match, { today, tense, sentence }) => {
    if (match[3] === undefined && tense() !== 'future' && !isAhead(sentence())) return undefined;
    return inUnits(readNumber(match[1] ?? ''), match[2], today);
  },
};

/** @param count negative for the past */
function inUnits(count: number, unit: string | undefined, today: CalendarDay): Meaning | undefined {
  switch (unit?.toLowerCase()) {
    case 'month': {
      const day = shiftMonths(today, count);
      return { text: monthText(day), span: monthsFrom(day) };
    }
    case 'year': {
      const year = today.year + count;
      return { text: `${year}`, span: yearsFrom(year) };
    }
    case 'week': {
      const day = addDays(today, 7 * count);
      return { text: dayText(day), day, span: daysAround(day, 3) };
    }
    default:
      return oneDay(addDays(today, count));
  }
}

const isRange = new RegExp(upTo);

const ordinal = '(?:st|nd|rd|th)?';
const upToThe = `${upTo}(?:the )?`;
const withYear = String.raw`(?:(?:,|,? of)? (\d{4}\b|['’]\d{2}\b(?!['’]))| \((\d{4})\)| (?:of )?(last|this|next) year\b)?(?!\w)`;

/** The new day of what was rearranged "from 3 to 5 June". */
const newDayOfMonth: DateRule = {
  pattern: new RegExp(
    String.raw`\bfrom (?:the )?(?:${monthDay}${ordinal}${upToThe}(${monthDay})${ordinal}(?: of)? (${month})|(${month}) ${monthDay}${ordinal}${upToThe}(${monthDay})${ordinal}${noDayOfMonth}(?! ?[ap]m\b))${withYear}`,
    'g',
  ),
  read: (match, reference) => {
    const { before, after } = reference.sentence();
    if (!isRearranged({ before, after })) return undefined;
    return readDayOfMonth(match, { ...reference, sentence: () => ({ before: `${before}to `, after }) });
  },
};

/** Of "3 to 5 June" the first day counts. Other ranges ("5-7 June") and amounts ("May 5 people") are no days. */
const dayOfMonth: DateRule = {
  pattern: new RegExp(
    String.raw`(?<![\d–/.-] ?)\b(?:(${monthDay})${ordinal}(?:${upToThe}${monthDay}${ordinal})?(?: of)? (${month})|(${month}) (${monthDay})${ordinal}${noDayOfMonth})${withYear}`,
    'g',
  ),
  read: (match, reference) => {
    const meaning = readDayOfMonth(match, reference);
    if (meaning?.text === undefined || !isRange.test(match[0])) return meaning;
    return { ...meaning, text: monthText(meaning.span.from) };
  },
};

function readDayOfMonth(match: RegExpExecArray, reference: Reference): Meaning | undefined {
  const [, dayBefore, nameBehind, nameBefore, dayBehind, plainYear, yearInParentheses, which = ''] = match;
  const day = Number(dayBefore ?? dayBehind);
  const month = readMonth(nameBehind ?? nameBefore ?? '');
  const written = plainYear ?? yearInParentheses;
  const step = steps[which];
  if (written === undefined && step === undefined) return oneDay(dayOfMissingYear({ month, day }, reference));
  const year = written === undefined ? reference.today.year + (step ?? 0) : readYearNumber(written);
  if (year < 1000 || !isDay({ year, month, day })) return undefined;
  return written?.length === 4 ? writtenDay({ year, month, day }) : oneDay({ year, month, day });
}

const isoDay: DateRule = {
  pattern: /(?<![\w-])[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/g,
  read: ([date]) => {
    const day = dayOfFullDate(date);
    return day && writtenDay(day);
  },
};

/** "in March" is the last or the next one, by the tense of its clause. */
const inMonth: DateRule = {
  pattern: new RegExp(
    String.raw`\b[Ii]n (?:early |mid |late )?(${monthNames.join('|')})\b(?![-'’]|,? ['’(]?\d| of\b| (?:last|this|next|that) year\b)`,
    'g',
  ),
  read: (match, reference) => {
    const span = monthOfMissingYear(readMonth(match[1] ?? ''), reference);
    return span && { text: monthText(span.from), span };
  },
};

/** The rules that questions share. */
export const sharedDayRules: readonly DateRule[] = [nearDay, inSome, ...sharedWeekdayRules, isoDay];

export const dayRules: readonly DateRule[] = [
  ...sharedDayRules,
  ago,
  ...weekdayRules,
  newDayOfMonth,
  dayOfMonth,
  inMonth,
];
