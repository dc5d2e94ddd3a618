import { casual } from 'chrono-node/en';
import { addDays, type CalendarDay, shiftMonths } from './calendar.ts';
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
  readWeekday,
  weekday,
  wholeNumber,
} from './date-words.ts';
import { daysAround, daysFrom, monthsFrom, yearsFrom } from './day-span.ts';
import type { DateRule, Meaning, Tense } from './mentions.ts';
import { dayOfMissingYear } from './missing-year.ts';
import { everyWeek, everyYearInMonth, lastBegun, lastOver, nextUnfinished } from './recurring.ts';

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
  pattern: new RegExp(String.raw`(${wholeNumber}) (day|week|month|year)s? (ago|from now|from today)\b`, 'gi'),
  read: (match, { today }) => {
    const count = readNumber(match[1] ?? '');
    return inUnits(match[3]?.toLowerCase() === 'ago' ? -count : count, match[2], today);
  },
};

/** "in two weeks" may also be how long something took, so it is a date only in a sentence about the future. */
const inSome: DateRule = {
  pattern: new RegExp(String.raw`\bin (${number}) (day|week|month|year)s?(?:['’]s?)?( time\b)?(?!\w| of\b)`, 'gi'),
  read: (match, { today, tense }) => {
    if (match[3] === undefined && tense() !== 'future') return undefined;
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

const weekdayEnd = String.raw`\b(?!['’-]| of\b| (?:morning|afternoon|evening|night)s\b)`;

const namedWeekday: DateRule = {
  pattern: new RegExp(String.raw`\b(last|next|this past|this coming|this) (${weekday})(?:['’]s\b|${weekdayEnd})`, 'gi'),
  read: (match, { today, tense }) => {
    const which = match[1]?.toLowerCase() ?? '';
    if (which === 'last' || which === 'next') return oneDay(dayByChrono(`${which} ${match[2]}`, today));
    const direction = which === 'this past' ? 'past' : which === 'this coming' ? 'future' : tense();
    return oneDay(closeWeekday(match[2] ?? '', direction, today));
  },
};

/** Without a tense, the last and the next one are equally likely. */
const onWeekday: DateRule = {
  pattern: new RegExp(String.raw`\bon (${weekday})${weekdayEnd}`, 'gi'),
  read: (match, { today, tense }) => {
    const direction = tense();
    return direction === undefined ? undefined : oneDay(closeWeekday(match[1] ?? '', direction, today));
  },
};

/** A weekday in the past is never today. */
function closeWeekday(name: string, direction: Tense, today: CalendarDay): CalendarDay | undefined {
  const recurring = everyWeek(readWeekday(name));
  return (direction === 'past' ? lastOver : nextUnfinished)(recurring, today)?.from;
}

/** Ranges ("5-7 June") and amounts ("May 5 people") are no days. */
const dayOfMonth: DateRule = {
  pattern: new RegExp(
    String.raw`(?<![\d–/.-] ?)\b(?:(${monthDay})(?:st|nd|rd|th)?(?: of)? (${month})|(${month}) (${monthDay})(?:st|nd|rd|th)?${noDayOfMonth})(?:,? (\d{4})\b| (?:of )?(last|this|next) year\b)?(?!\w)`,
    'g',
  ),
  read: (match, reference) => {
    const { today } = reference;
    const name = (match[2] ?? match[3] ?? '').replace('.', '');
    const phrase = `${match[1] ?? match[4]} ${name}`;
    const step = yearSteps[match[6] ?? ''];
    const year = match[5] ?? (step === undefined ? undefined : String(today.year + step));
    if (year === undefined) {
      const closest = dayByChrono(phrase, today);
      return closest && oneDay(dayOfMissingYear(closest, reference));
    }
    const day = Number(year) < 1000 ? undefined : dayByChrono(`${phrase} ${year}`, today);
    return day && (match[5] === undefined ? oneDay(day) : writtenDay(day));
  },
};

const yearSteps: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

const isoDay: DateRule = {
  pattern: /(?<![\w-])[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/g,
  read: (match, { today }) => {
    const day = dayByChrono(match[0], today);
    return day === undefined ? undefined : writtenDay(day);
  },
};

/** "in March" is the last or the next one, by the tense of the sentence. */
const inMonth: DateRule = {
  pattern: new RegExp(
    String.raw`\b[Ii]n (?:early |mid |late )?(${monthNames.join('|')})\b(?![-'’]|,? \d| (?:of )?(?:last|this|next) year\b)`,
    'g',
  ),
  read: (match, { today, tense }) => {
    const direction = tense();
    if (direction === undefined) return undefined;
    const recurring = everyYearInMonth(readMonth(match[1] ?? ''));
    const span = direction === 'past' ? lastBegun(recurring, today) : nextUnfinished(recurring, today);
    return span === undefined ? undefined : { text: monthText(span.from), span };
  },
};

/**
 * The day that an English phrase means on a given day, by chrono; undefined when chrono does not read the whole phrase.
 *
 * Chrono computes in the local time of this machine. The time is noon, so that a change of the clocks cannot move the day.
 */
function dayByChrono(phrase: string, today: CalendarDay): CalendarDay | undefined {
  const instant = new Date(Date.UTC(today.year, today.month - 1, today.day, 12));
  const [result, ...others] = casual.parse(phrase, { instant, timezone: 0 });
  if (result === undefined || others.length > 0 || result.text.length !== phrase.length) return undefined;
  const { start } = result;
  return { year: start.get('year') ?? 0, month: start.get('month') ?? 0, day: start.get('day') ?? 0 };
}

function oneDay(day: CalendarDay | undefined): Meaning | undefined {
  return day && { text: dayText(day), ...writtenDay(day) };
}

/** A day whose date the text already contains. */
function writtenDay(day: CalendarDay): Meaning {
  return { day, span: daysFrom(day) };
}

/** The rules that questions share. */
export const sharedDayRules: readonly DateRule[] = [nearDay, inSome, namedWeekday, isoDay];

export const dayRules: readonly DateRule[] = [...sharedDayRules, ago, onWeekday, dayOfMonth, inMonth];
