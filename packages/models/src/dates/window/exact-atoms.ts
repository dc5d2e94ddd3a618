import { addDays, type CalendarDay, dayOf, type ItemDate, isBefore } from '../calendar.ts';
import { number, readNumber, readWeekday, weekday, wholeNumber } from '../date-words.ts';
import { type DaySpan, daysAround, daysFrom, monthsFrom } from '../day-span.ts';
import type { PhraseRule } from '../find-mentions.ts';
import { everyWeek, type Recurring } from '../recurring.ts';
import { everySeason } from '../season.ts';
import { shift } from './relative-atoms.ts';
import type { Meant } from './term.ts';

/** "a year ago today" */
const agoToday: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`${wholeNumber} (week|month|year)s? ago today\b`, 'gi'),
  read: ({ 0: phrase, 1: unit = '' }, { today }) => clear(daysFrom(shift(today, -readNumber(phrase), unit))),
};

/** "this time last year" */
const thisTimeLast: PhraseRule<Meant> = {
  pattern: /\b(?:at )?this (day|time) last (week|month|year)\b/gi,
  read: ([, precision, unit = ''], { today }) => {
    const day = shift(today, -1, unit);
    const slack = precision?.toLowerCase() === 'day' || unit.toLowerCase() === 'week' ? 0 : 14;
    return clear(daysAround(day, slack));
  },
};

const halfYearAgo: PhraseRule<Meant> = {
  pattern: /\b(half a year|a year and a half) (?:ago|back)\b/gi,
  read: ([, amount], { today }) => clear(monthsFrom(shift(today, amount?.startsWith('half') ? -6 : -18, 'month'))),
};

const nightBeforeLast: PhraseRule<Meant> = {
  pattern: /\bthe night before last\b/gi,
  read: (_, { today }) => clear(daysFrom(addDays(today, -2))),
};

/** "two Sundays ago", "two summers ago" */
const timesAgo: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\b(${number}) (?:(${weekday})|(spring|summer|autumn|fall|winter))s? ago\b`, 'gi'),
  read: ([, count = '', day, season = ''], { today }) =>
    countedBack(day === undefined ? everySeason(season) : everyWeek(readWeekday(day)), readNumber(count), today),
};

const weekdayBeforeLast: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\bthe (${weekday}) before last\b`, 'gi'),
  read: ([, day = ''], { today }) => countedBack(everyWeek(readWeekday(day)), 2, today),
};

function countedBack({ around }: Recurring, count: number, today: CalendarDay): Meant | undefined {
  const over = around(today).filter(({ to }) => !isBefore(today, to));
  const span = over.at(-count);
  return span && clear(span);
}

/** Hours and minutes need the clock of asking, beside its day. */
export function clockAtoms(date: ItemDate): readonly PhraseRule<Meant>[] {
  const unit = '(hour|minute)s?';
  const dayBefore = (count: string, name: string) =>
    dayOf(date, -readNumber(count) * (name.toLowerCase() === 'hour' ? 60 : 1));
  return [
    {
      pattern: new RegExp(String.raw`(?<![\d.,/–-]|\bor )\b(${number}) ${unit} ago\b`, 'gi'),
      read: ([, count = '', name = '']) => clear(daysFrom(dayBefore(count, name))),
    },
    {
      pattern: new RegExp(String.raw`\b(?:in|over|during|within) the (?:last|past) (?:(${number}) )?${unit}\b`, 'gi'),
      read: ([, count = 'one', name = ''], { today }) => clear({ from: dayBefore(count, name), to: addDays(today, 1) }),
    },
  ];
}

function clear(time: DaySpan): Meant {
  return { kind: 'period', time, isClear: true };
}

/** Times told from today that name a day or a time that comes again. */
export const exactAtoms: readonly PhraseRule<Meant>[] = [
  agoToday,
  thisTimeLast,
  halfYearAgo,
  nightBeforeLast,
  timesAgo,
  weekdayBeforeLast,
];
