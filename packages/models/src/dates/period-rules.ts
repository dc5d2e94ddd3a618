import { addDays, type CalendarDay } from './calendar.ts';
import { dayText, monthNames, monthText, readMonth, readNumber, steps, wholeNumber } from './date-words.ts';
import { type DaySpan, monthsFrom, periodSpan } from './day-span.ts';
import type { DateRule, Meaning } from './mentions.ts';
import { everySeason, seasonSpan, seasonText } from './named-times.ts';
import { everyYearInMonth, lastOver, nextBegun, type Recurring } from './recurring.ts';

const stepsByWords: Readonly<Record<string, number>> = { ...steps, 'this past': -1, 'this coming': 1 };
const periodTexts = {
  week: (from: CalendarDay) => `week of ${dayText(from)}`,
  weekend: (from: CalendarDay) => `weekend of ${dayText(from)}`,
  month: monthText,
  year: ({ year }: CalendarDay) => `${year}`,
};
const months = monthNames.map((name) =>
  name === 'May' || name === 'March' ? name : `[${name[0]}${name[0]?.toLowerCase()}]${name.slice(1)}`,
);
const units = [
  '[Ww]eekend',
  '[Ww]eek',
  '[Mm]onth',
  '[Yy]ear',
  '[Ss]pring',
  '[Ss]ummer',
  '[Aa]utumn',
  '[Ff]all',
  '[Ww]inter',
  ...months,
];

/** Excludes durations ("the last week"), accidents ("his last fall") and parts ("last week of"). */
const named: DateRule = {
  pattern: new RegExp(
    String.raw`(?<!\b(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur|[Tt]heir|[Yy]our|[Aa]n?|[Ff]irst(?: and| or)?|at|very) )\b([Ll]ast|[Nn]ext|[Tt]his(?: past| coming)?) (${units.join('|')})\b(?! of\b|-)(?:['’]s\b)?`,
    'g',
  ),
  read: (match, { today }) =>
    readPeriod(match[2]?.toLowerCase() ?? '', stepsByWords[match[1]?.toLowerCase() ?? ''], today),
};

const beforeLast: DateRule = {
  pattern: /\bthe (weekend|week|month|year|spring|summer|autumn|fall|winter) before last\b/gi,
  read: (match, { today }) => readPeriod(match[1]?.toLowerCase() ?? '', -2, today),
};

const weekendsAgo: DateRule = {
  pattern: new RegExp(String.raw`(${wholeNumber}) weekends? ago\b`, 'gi'),
  read: (match, { today }) => readPeriod('weekend', -readNumber(match[1] ?? ''), today),
};

function readPeriod(unit: string, step: number | undefined, today: CalendarDay): Meaning | undefined {
  if (step === undefined) return undefined;
  if (unit === 'week' || unit === 'weekend' || unit === 'month' || unit === 'year') {
    const span = periodSpan(unit, step, today);
    return { text: periodTexts[unit](span.from), span };
  }
  const month = readMonth(unit);
  return month > 0 ? readNamedMonth(month, step, today) : readSeason(unit, step, today);
}

/** Last May is over, next May has not begun, and this May is the one of the present year. */
function readNamedMonth(month: number, step: number, today: CalendarDay): Meaning | undefined {
  const span = stepTo(everyYearInMonth(month), step, today) ?? monthsFrom({ ...today, month });
  return { text: monthText(span.from), span };
}

function readSeason(name: string, step: number, today: CalendarDay): Meaning {
  const isWinterOfLastYear = name === 'winter' && today.month <= 2;
  const near = stepTo(everySeason(name), step, today) ?? seasonSpan(name, today.year - (isWinterOfLastYear ? 1 : 0));
  const year = near.from.year + (step < -1 ? step + 1 : 0);
  return { text: seasonText(name, year), span: seasonSpan(name, year) };
}

/** Undefined for this one. */
function stepTo(recurring: Recurring, step: number, today: CalendarDay): DaySpan | undefined {
  if (step === 0) return undefined;
  return step < 0 ? lastOver(recurring, today) : nextBegun(recurring, addDays(today, 1));
}

export const periodRules: readonly DateRule[] = [named, beforeLast, weekendsAgo];
