import { addDays, addMonths, type CalendarDay, isBefore, weekdayOf } from './calendar.ts';
import { type DaySpan, daysFrom, monthsFrom } from './day-span.ts';

/** Days that recur every week, month or year: "Monday", "the 7th", "June", "summer", "Christmas". */
export interface Recurring {
  /** Its occurrences around a day, in order, with at least three before and three after it. */
  readonly around: (day: CalendarDay) => readonly DaySpan[];
}

const nearSteps = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/** @param weekday 0 for Monday to 6 for Sunday */
export function everyWeek(weekday: number, days = 1): Recurring {
  return {
    around: (day) => nearSteps.map((step) => daysFrom(addDays(day, weekday - weekdayOf(day) + 7 * step), days)),
  };
}

/** A day of the month; months without it are skipped. */
export function everyMonth(dayOfMonth: number): Recurring {
  return {
    around: (day) =>
      nearSteps
        .map((step) => addDays(addMonths(day, step), dayOfMonth - 1))
        .filter((each) => each.day === dayOfMonth)
        .map((each) => daysFrom(each)),
  };
}

/** @param inYear its occurrence in a year, if there is one */
export function everyYear(inYear: (year: number) => DaySpan | undefined): Recurring {
  return { around: ({ year }) => nearSteps.flatMap((step) => inYear(year + step) ?? []) };
}

/** Whole months, from one that is numbered 1 to 12. */
export function everyYearInMonth(month: number, count = 1): Recurring {
  return everyYear((year) => monthsFrom({ year, month, day: 1 }, count));
}

/** Maps each occurrence: "early June". */
export function mapTimes({ around }: Recurring, map: (span: DaySpan) => DaySpan | undefined): Recurring {
  return { around: (day) => around(day).flatMap((span) => map(span) ?? []) };
}

/** The last occurrence that begins on a day or before. */
export function lastBegun({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).findLast(({ from }) => !isBefore(day, from));
}

/** The last occurrence that ended before a day. */
export function lastOver({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).findLast(({ to }) => !isBefore(day, to));
}

/** The first occurrence that has not ended before a day. */
export function nextUnfinished({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).find(({ to }) => isBefore(day, to));
}

/** The first occurrence that begins on a day or later. */
export function nextBegun({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).find(({ from }) => !isBefore(from, day));
}

/** The first occurrence that begins within a span. */
export function timeWithin(recurring: Recurring, { from, to }: DaySpan): DaySpan | undefined {
  const time = nextBegun(recurring, from);
  return time !== undefined && isBefore(time.from, to) ? time : undefined;
}
