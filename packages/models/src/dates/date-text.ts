import type { CalendarDay } from './calendar.ts';

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const weekdayNames: readonly string[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

/** `7 May 2023` */
export function dayText(day: CalendarDay): string {
  return `${day.day} ${monthText(day)}`;
}

/** `May 2023` */
export function monthText(day: CalendarDay): string {
  return `${monthNames[day.month - 1]} ${day.year}`;
}
