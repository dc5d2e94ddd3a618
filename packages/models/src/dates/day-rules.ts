import { addDays, type CalendarDay, isBefore } from './calendar.ts';
import { dayByChrono } from './chrono.ts';
import type { DateRule, Meaning, Reference } from './date-rule.ts';
import { dayText, monthNames, monthText, weekdayNames } from './date-text.ts';

const number = String.raw`(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}|a couple(?: of)?)`;
/** "1.5 years ago", "10-15 years ago" and "two or three weeks ago" are no dates. */
const wholeNumber = String.raw`(?<![\d.,/–-]|\bor )\b${number}`;
/** May and March need their capital: "may" and "march" are verbs. */
const month = String.raw`(?:May|March|(?:[Jj]anuary|[Ff]ebruary|[Aa]pril|[Jj]une|[Jj]uly|[Aa]ugust|[Ss]eptember|[Oo]ctober|[Nn]ovember|[Dd]ecember)|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)`;
const monthDay = String.raw`(?:[12]\d|3[01]|0?[1-9])`;
const weekday = `(?:${weekdayNames.join('|')})`;

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
  pattern: new RegExp(String.raw`${wholeNumber} (day|week|month|year)s? (?:ago|from now|from today)\b`, 'gi'),
  read: (match, { today }) => inUnits(match[0].replace(/from today$/i, 'from now'), match[1], today),
};

/** "in two weeks" is also how long something took: only a sentence about the future makes it a date. */
const inSome: DateRule = {
  pattern: new RegExp(String.raw`\b(in ${number} (day|week|month|year)s?)(?:['’]s?)?( time\b)?(?!\w| of\b)`, 'gi'),
  read: (match, { today, tense }) => {
    if (match[3] === undefined && tense() !== 'future') return undefined;
    return inUnits(match[1] ?? '', match[2], today);
  },
};

function inUnits(phrase: string, unit: string | undefined, today: CalendarDay): Meaning | undefined {
  const day = dayByChrono(phrase, today);
  if (day === undefined) return undefined;
  if (unit?.toLowerCase() === 'month') return { text: monthText(day) };
  if (unit?.toLowerCase() === 'year') return { text: `${day.year}` };
  return oneDay(day);
}

const namedWeekday: DateRule = {
  pattern: new RegExp(
    String.raw`\b(last|next|this past|this coming|this|on) (${weekday})\b(?!['’-]| of\b| (?:morning|afternoon|evening|night)s\b)`,
    'gi',
  ),
  read: (match, reference) => {
    const day = readWeekday(match[1]?.toLowerCase() ?? '', match[2] ?? '', reference);
    return day === undefined ? undefined : oneDay(day);
  },
};

function readWeekday(which: string, name: string, { today, tense }: Reference): CalendarDay | undefined {
  if (which === 'last' || which === 'next') return dayByChrono(`${which} ${name}`, today);
  const direction = which === 'this past' ? 'past' : which === 'this coming' ? 'future' : tense();
  if (direction === undefined && which === 'on') return undefined;
  const closest = dayByChrono(name, today);
  if (closest === undefined) return undefined;
  if (direction === 'past') return isBefore(closest, today) ? closest : addDays(closest, -7);
  return isBefore(closest, today) ? addDays(closest, 7) : closest;
}

/** Ranges ("5-7 June") and amounts ("May 5 people") are left alone. */
const dayOfMonth: DateRule = {
  pattern: new RegExp(
    String.raw`(?<![\d–/.-] ?)\b(?:(${monthDay})(?:st|nd|rd|th)?(?: of)? (${month})|(${month}) (${monthDay})(?:st|nd|rd|th)?(?!\d|[.:,]\d| ?[–-] ?\d|%| (?:people|of us|times|days|years)\b))(?:,? (\d{4})\b)?(?!\w)`,
    'g',
  ),
  read: (match, { today }) => {
    const name = (match[2] ?? match[3] ?? '').replace('.', '');
    const phrase = `${match[1] ?? match[4]} ${name} ${match[5] ?? ''}`.trimEnd();
    const day = dayByChrono(phrase, today);
    if (day === undefined || day.year < 1000) return undefined;
    return match[5] === undefined ? oneDay(day) : { day };
  },
};

const isoDay: DateRule = {
  pattern: /(?<![\w-])[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/g,
  read: (match, { today }) => {
    const day = dayByChrono(match[0], today);
    return day === undefined ? undefined : { day };
  },
};

/** "in March" is the last one or the next one, by the tense of its sentence. */
const inMonth: DateRule = {
  pattern: new RegExp(String.raw`\b[Ii]n (?:early |mid |late )?(${monthNames.join('|')})\b(?![-'’]|,? \d)`, 'g'),
  read: (match, { today, tense }) => {
    const direction = tense();
    if (direction === undefined) return undefined;
    const wanted = monthNames.indexOf(match[1] ?? '') + 1;
    const isOver = direction === 'past' ? wanted > today.month : wanted < today.month;
    const year = isOver ? today.year + (direction === 'past' ? -1 : 1) : today.year;
    return { text: monthText({ year, month: wanted, day: 1 }) };
  },
};

function oneDay(day: CalendarDay): Meaning {
  return { text: dayText(day), day };
}

export const dayRules: readonly DateRule[] = [nearDay, ago, inSome, namedWeekday, dayOfMonth, isoDay, inMonth];
