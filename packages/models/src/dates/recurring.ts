import { addDays, addMonths, type CalendarDay, isBefore, isSameDay, weekdayOf } from './calendar.ts';
import { type DaySpan, daysFrom, monthsFrom } from './day-span.ts';

/** Days that come again every week, month or year: "Monday", "the 7th", "June", "summer", "Christmas". */
export interface Recurring {
  /** Its times around a day in order, the next three before and behind it among them. */
  readonly around: (day: CalendarDay) => readonly DaySpan[];
}

const nearSteps = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/** @param weekday 0 for Monday to 6 for Sunday */
export function everyWeek(weekday: number, days = 1): Recurring {
  return {
    around: (day) => nearSteps.map((step) => daysFrom(addDays(day, weekday - weekdayOf(day) + 7 * step), days)),
  };
}

/** A day of the month; months that do not have it are passed over. */
export function everyMonth(dayOfMonth: number): Recurring {
  return {
    around: (day) =>
      nearSteps
        .map((step) => addDays(addMonths(day, step), dayOfMonth - 1))
        .filter((each) => each.day === dayOfMonth)
        .map((each) => daysFrom(each)),
  };
}

/** @param inYear what it is in a year, if it is in it */
export function everyYear(inYear: (year: number) => DaySpan | undefined): Recurring {
  return { around: ({ year }) => nearSteps.flatMap((step) => inYear(year + step) ?? []) };
}

/** Whole months, from one that is numbered 1 to 12. */
export function everyYearInMonth(month: number, count = 1): Recurring {
  return everyYear((year) => monthsFrom({ year, month, day: 1 }, count));
}

/** Something that stands in the same relation to each time: "early June". */
export function mapTimes({ around }: Recurring, map: (span: DaySpan) => DaySpan | undefined): Recurring {
  return { around: (day) => around(day).flatMap((span) => map(span) ?? []) };
}

/** The last time that has begun by the end of a day. */
export function lastBegun({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).findLast(({ from }) => !isBefore(day, from));
}

/** The last time that was over when a day began. */
export function lastOver({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).findLast(({ to }) => !isBefore(day, to));
}

/** The first time that is not over when a day begins. */
export function nextUnfinished({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).find(({ to }) => isBefore(day, to));
}

/** The first time that begins on a day or later. */
export function nextBegun({ around }: Recurring, day: CalendarDay): DaySpan | undefined {
  return around(day).find(({ from }) => !isBefore(from, day));
}

/** The first time that begins within some days. */
export function timeWithin(recurring: Recurring, { from, to }: DaySpan): DaySpan | undefined {
  const time = nextBegun(recurring, from);
  return time !== undefined && isBefore(time.from, to) ? time : undefined;
}

/** Whether both begin and end on the same days. */
export function isSameSpan(left: DaySpan, right: DaySpan): boolean {
  return isSameDay(left.from, right.from) && isSameDay(left.to, right.to);
}
