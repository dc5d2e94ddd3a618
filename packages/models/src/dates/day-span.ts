import { addDays, addMonths, type CalendarDay, dayNumber, weekdayOf } from './calendar.ts';

/** Consecutive calendar days. */
export interface DaySpan {
  readonly from: CalendarDay;
  /** The first day that is no longer part of it. */
  readonly to: CalendarDay;
}

export type PeriodUnit = 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/** A number of days from a day on. */
export function daysFrom(from: CalendarDay, count = 1): DaySpan {
  return { from, to: addDays(from, count) };
}

/** A day with some days before and after it, for inexact phrases such as "two weeks ago". */
export function daysAround(day: CalendarDay, before: number, after = before): DaySpan {
  return { from: addDays(day, -before), to: addDays(day, after + 1) };
}

/** A number of whole months from that of a day on. */
export function monthsFrom(day: CalendarDay, count = 1): DaySpan {
  return { from: addMonths(day, 0), to: addMonths(day, count) };
}

export function yearsFrom(year: number, count = 1): DaySpan {
  return { from: { year, month: 1, day: 1 }, to: { year: year + count, month: 1, day: 1 } };
}

/**
 * The calendar day, week, month and so on that is a number of steps away: -1 is the last one, 0 the present one. Weeks
 * begin on Monday, and a weekend is the Saturday and Sunday of its week.
 */
export function periodSpan(unit: PeriodUnit, step: number, today: CalendarDay): DaySpan {
  const monday = addDays(today, 7 * step - weekdayOf(today));
  switch (unit) {
    case 'day':
      return daysFrom(addDays(today, step));
    case 'week':
      return daysFrom(monday, 7);
    case 'weekend':
      return daysFrom(addDays(monday, 5), 2);
    case 'month':
      return monthsFrom(addMonths(today, step));
    case 'quarter':
      return monthsFrom({ ...today, month: 3 * Math.floor((today.month - 1) / 3) + 1 + 3 * step }, 3);
    case 'year':
      return yearsFrom(today.year + step);
  }
}

/** The number of days. */
export function lengthOf({ from, to }: DaySpan): number {
  return dayNumber(to) - dayNumber(from);
}
