/** A day of the Gregorian calendar, in no time zone. */
export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** When an item happened: the instant, and the calendar day at its place. */
export interface ItemDate {
  /** ISO 8601 in UTC with milliseconds. */
  readonly iso: string;
  /** East of UTC. */
  readonly offsetMinutes: number;
  readonly day: CalendarDay;
}

const dayMs = 86_400_000;
const isoPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:\s*(Z|[+-]\d{2}:?\d{2}))?)?$/i;

/** Whether dates counted from a day stay within the years of four digits. */
export function isComputable({ year }: CalendarDay): boolean {
  return year >= 1000 && year < 9000;
}

/** Parses an ISO 8601 date or date-time; without an offset it is UTC, never the time zone of this machine. Undefined for other texts. */
export function readItemDate(eventDate: string): ItemDate | undefined {
  const match = isoPattern.exec(eventDate.trim());
  if (match === null) return undefined;
  const [, date, time = '00:00', zone = 'Z'] = match;
  const offsetMinutes = readOffset(zone);
  const wallMs = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  return { iso: new Date(wallMs - offsetMinutes * 60_000).toISOString(), offsetMinutes, day: dayAt(wallMs) };
}

function readOffset(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

function dayAt(utcMs: number): CalendarDay {
  const date = new Date(utcMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The day at the place of an item after a number of minutes. */
export function dayOf({ iso, offsetMinutes }: ItemDate, minutesLater: number): CalendarDay {
  return dayAt(Date.parse(iso) + (offsetMinutes + minutesLater) * 60_000);
}

/**
 * The day of an event where the time `now` has its offset; both ISO 8601. Midnight in UTC stands for an event of which only
 * the day is known, and is that day everywhere. Undefined when the event has no readable date.
 */
export function dayOfEvent(eventDate: string | null, now: string): CalendarDay | undefined {
  const date = eventDate === null ? undefined : readItemDate(eventDate);
  if (date === undefined) return undefined;
  const isOnlyDay = date.iso.endsWith('T00:00:00.000Z');
  return dayOf({ ...date, offsetMinutes: isOnlyDay ? 0 : (readItemDate(now)?.offsetMinutes ?? 0) }, 0);
}

/** When a day begins at an offset. ISO 8601 in UTC with milliseconds. */
export function startOf(day: CalendarDay, offsetMinutes: number): string {
  return new Date(dayNumber(day) * dayMs - offsetMinutes * 60_000).toISOString();
}

/** Noon of the day at an offset: nearly everywhere the same day in UTC too. ISO 8601 in UTC with milliseconds. */
export function noonOf(day: CalendarDay, offsetMinutes: number): string {
  return new Date(Date.UTC(day.year, day.month - 1, day.day, 12) - offsetMinutes * 60_000).toISOString();
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  return dayAt(Date.UTC(day.year, day.month - 1, day.day) + days * dayMs);
}

/** The first day of the month after a number of months, which may be negative. */
export function addMonths(day: CalendarDay, months: number): CalendarDay {
  return dayAt(Date.UTC(day.year, day.month - 1 + months, 1));
}

/** The same day of the month after a number of months, which may be negative, or its last day. */
export function shiftMonths(day: CalendarDay, months: number): CalendarDay {
  const lastOfMonth = addDays(addMonths(day, months + 1), -1);
  return { ...lastOfMonth, day: Math.min(day.day, lastOfMonth.day) };
}

/** Counts days; the difference of two is the days between them. */
export function dayNumber(day: CalendarDay): number {
  return Date.UTC(day.year, day.month - 1, day.day) / dayMs;
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return (new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay() + 6) % 7;
}

/** Whether there is such a day, unlike 31 April. */
export function isDay(day: CalendarDay): boolean {
  return isSameDay(addDays(day, 0), day);
}

export function isSameDay(left: CalendarDay, right: CalendarDay): boolean {
  return left.year === right.year && left.month === right.month && left.day === right.day;
}

export function isBefore(left: CalendarDay, right: CalendarDay): boolean {
  return left.year - right.year < 0 || (left.year === right.year && monthDay(left) < monthDay(right));
}

function monthDay(day: CalendarDay): number {
  return day.month * 100 + day.day;
}
