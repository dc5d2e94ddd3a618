import { addDays, type CalendarDay, shiftMonths } from '../calendar.ts';
import { number, readNumber, wholeNumber } from '../date-words.ts';
import { type DaySpan, daysFrom, type PeriodUnit, periodSpan } from '../day-span.ts';
import type { PhraseRule } from '../find-mentions.ts';
import type { Meant } from './term.ts';

const unit = '(day|week|month|year)';
const someUnits = `(${number}|(?:a )?few|several|some)`;

/** What "a few" and "several" may be. */
const fewest = 2;
const most = 6;

/** "few" is 2 to 6, "two" is 2 to 2. */
export function readAmount(text: string): [number, number] {
  return /few|several|some/i.test(text) ? [fewest, most] : [readNumber(text), readNumber(text)];
}

/** The day that is so many units away. */
export function shift(day: CalendarDay, count: number, unitName: string): CalendarDay {
  switch (unitName.toLowerCase()) {
    case 'day':
      return addDays(day, count);
    case 'week':
      return addDays(day, 7 * count);
    case 'month':
      return shiftMonths(day, count);
    default:
      return shiftMonths(day, 12 * count);
  }
}

const fewAgo: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\b(?:a few|several|some) ${unit}s (?:ago|back)\b`, 'gi'),
  read: ([, name = ''], { today }) => ago(fewest, most, name, today),
};

/** "two or three weeks ago" */
const agoBetween: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`(?<![\d.,/–-])\b(${number})(?: or | to | ?[–-] ?)(${number}) ${unit}s (?:ago|back)\b`,
    'gi',
  ),
  read: ([, least = '', atMost = '', name = ''], { today }) => ago(readNumber(least), readNumber(atMost), name, today),
};

const back: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`${wholeNumber} ${unit}s? back\b`, 'gi'),
  read: ({ 0: phrase, 1: name = '' }, { today }) => {
    const count = readNumber(phrase);
    return ago(count, count, name, today);
  },
};

function ago(least: number, atMost: number, name: string, today: CalendarDay): Meant {
  const time = { from: shift(today, -atMost, name), to: addDays(shift(today, -least, name), 1) };
  return { kind: 'period', time: least === atMost ? spread(time, name) : time, isClear: true };
}

/** Nobody counts the days of weeks and months. */
function spread({ from, to }: DaySpan, name: string): DaySpan {
  if (name.toLowerCase() === 'day') return { from, to };
  return name.toLowerCase() === 'week'
    ? { from: addDays(from, -3), to: addDays(to, 3) }
    : periodSpan(name.toLowerCase() as PeriodUnit, 0, from);
}

/** "in the last two years", "over the past month": up to today. "the last week of" is something else. */
const lastUnits: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`\b(?:(?:in|over|during|within|for|throughout) (?:the |these )?(?:last|past) (?:${someUnits} )?|(?:the |these )?(?:last|past) ${someUnits} |the past )${unit}s?\b(?!['’-]| (?:of|before)\b)`,
    'gi',
  ),
  read: ([phrase, within, count, name = ''], { today }) => {
    // "in last week" is no English, and "in last year's report" is not about the last 365 days.
    if (within === undefined && count === undefined && !/ (?:the|these) | past /i.test(phrase)) return undefined;
    const [, amount] = readAmount(within ?? count ?? 'one');
    return { kind: 'period', time: { from: shift(today, -amount, name), to: addDays(today, 1) }, isClear: true };
  },
};

const nextUnits: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`\b(?:in|over|during|within|for) the (?:next|coming|following) (?:${someUnits} )?${unit}s?\b(?!['’-]| of\b)`,
    'gi',
  ),
  read: ([, count, name = ''], { today }) => {
    const [, amount] = readAmount(count ?? 'one');
    return { kind: 'period', time: { from: today, to: addDays(shift(today, amount, name), 1) }, isClear: true };
  },
};

const steps: Readonly<Record<string, number>> = { last: -1, previous: -1, preceding: -1, this: 0, next: 1 };

/** Those that facts seldom say. */
const steppedPeriod: PhraseRule<Meant> = {
  pattern:
    /\b(?:(last|this|next) (quarter)|(?:the )?(previous|preceding) (week|weekend|month|quarter|year))\b(?! of\b)(?:['’]s\b)?/gi,
  read: ([, step, quarter, before, name], { today }) => {
    const span = periodSpan(
      (quarter ?? name ?? '').toLowerCase() as PeriodUnit,
      steps[(step ?? before ?? '').toLowerCase()] ?? 0,
      today,
    );
    return { kind: 'period', time: span, isClear: true };
  },
};

/** "the end of the month" is about this one. */
const presentPeriod: PhraseRule<Meant> = {
  pattern:
    /(?<=\b(?:start|beginning|middle|end|half|rest|course|days?|weeks?|weekend|months?|quarter) of )the (week|month|quarter|year)\b(?! of\b)/gi,
  read: ([, name = ''], { today }) => ({
    kind: 'period',
    time: periodSpan(name.toLowerCase() as PeriodUnit, 0, today),
    isClear: false,
  }),
};

const otherDay: PhraseRule<Meant> = {
  pattern: /(?<!\bon )\bthe other (?:day|night)\b/gi,
  read: (_, { today }) => ({ kind: 'period', time: daysFrom(addDays(today, -10), 10), isClear: true }),
};

/** Times that are told from today. */
export const relativeAtoms: readonly PhraseRule<Meant>[] = [
  agoBetween,
  fewAgo,
  back,
  lastUnits,
  nextUnits,
  steppedPeriod,
  presentPeriod,
  otherDay,
];
