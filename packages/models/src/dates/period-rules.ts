import { addDays, addMonths, type CalendarDay, isBefore, weekdayOf } from './calendar.ts';
import type { DateRule, Meaning } from './date-rule.ts';
import { dayText, monthNames, monthText } from './date-text.ts';

/** -1 is the one before the present one, 0 the present one, 1 the one after it. */
type Step = number;

const steps: Readonly<Record<string, Step>> = { last: -1, 'this past': -1, this: 0, 'this coming': 1, next: 1 };
const seasons = ['spring', 'summer', 'autumn', 'winter'];
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

/** "the last week" is how long, "his last fall" is an accident, "last week of" is part of something else. */
const named: DateRule = {
  pattern: new RegExp(
    String.raw`(?<!\b(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur|[Tt]heir|[Yy]our|[Aa]n?|[Ff]irst|and|or|at|very) )\b([Ll]ast|[Nn]ext|[Tt]his(?: past| coming)?) (${units.join('|')})\b(?! of\b|-)(?:['’]s\b)?`,
    'g',
  ),
  read: (match, { today }) => readPeriod(match[2]?.toLowerCase() ?? '', steps[match[1]?.toLowerCase() ?? ''], today),
};

const beforeLast: DateRule = {
  pattern: /\bthe (weekend|week|month|year|spring|summer|autumn|fall|winter) before last\b/gi,
  read: (match, { today }) => readPeriod(match[1]?.toLowerCase() ?? '', -2, today),
};

const weekendsAgo: DateRule = {
  pattern: /\b(an?|one|two|three|four|a couple(?: of)?|2|3|4) weekends? ago\b/gi,
  read: (match, { today }) => {
    const amounts: Record<string, number> = { a: 1, one: 1, three: 3, '3': 3, four: 4, '4': 4 };
    return { text: weekendText(today, -(amounts[match[1]?.toLowerCase() ?? ''] ?? 2)) };
  },
};

function readPeriod(unit: string, step: Step | undefined, today: CalendarDay): Meaning | undefined {
  if (step === undefined) return undefined;
  if (unit === 'week') return { text: `week of ${dayText(addDays(monday(today), 7 * step))}` };
  if (unit === 'weekend') return { text: weekendText(today, step) };
  if (unit === 'month') return { text: monthText(addMonths(today, step)) };
  if (unit === 'year') return { text: `${today.year + step}` };
  const month = monthNames.findIndex((name) => name.toLowerCase() === unit);
  return { text: month >= 0 ? namedMonthText(today, month + 1, step) : seasonText(today, unit, step) };
}

function monday(day: CalendarDay): CalendarDay {
  return addDays(day, -weekdayOf(day));
}

/** This weekend is the one of this week, Saturday and Sunday. */
function weekendText(today: CalendarDay, step: Step): string {
  return `weekend of ${dayText(addDays(monday(today), 5 + 7 * step))}`;
}

/** Last May is a May that is over, next May one that has not begun, this May the one of this year. */
function namedMonthText(today: CalendarDay, month: number, step: Step): string {
  let year = today.year;
  if (step < 0 && month >= today.month) year -= 1;
  if (step > 0 && month <= today.month) year += 1;
  return monthText({ year, month, day: 1 });
}

/** As months: seasons of the northern half, by whole months, winter counted to the year of its December. */
function seasonText(today: CalendarDay, name: string, step: Step): string {
  const season = seasons.indexOf(name === 'fall' ? 'autumn' : name);
  let year = today.month <= 2 && (season === 3 || step !== 0) ? today.year - 1 : today.year;
  const start = (at: number) => ({ year: at, month: 3 + 3 * season, day: 1 });
  while (step < 0 && !isBefore(addMonths(start(year), 2), { ...today, day: 1 })) year -= 1;
  if (step < -1) year += step + 1;
  while (step > 0 && !isBefore(today, start(year))) year += 1;
  return season === 3 ? `winter ${year}–${year + 1}` : `${name} ${year}`;
}

export const periodRules: readonly DateRule[] = [named, beforeLast, weekendsAgo];
