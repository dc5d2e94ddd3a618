import { casual } from 'chrono-node/en';
import type { CalendarDay } from './calendar.ts';
import { dayText } from './date-words.ts';
import { daysFrom } from './day-span.ts';
import type { Meaning } from './mentions.ts';

/**
 * The day that an English phrase means on a given day, by chrono; undefined when chrono does not read the whole phrase.
 *
 * Chrono computes in the local time of this machine. The time is noon, so that a change of the clocks cannot move the day.
 */
export function dayByChrono(phrase: string, today: CalendarDay): CalendarDay | undefined {
  const instant = new Date(Date.UTC(today.year, today.month - 1, today.day, 12));
  const [result, ...others] = casual.parse(phrase, { instant, timezone: 0 });
  if (result === undefined || others.length > 0 || result.text.length !== phrase.length) return undefined;
  const { start } = result;
  return { year: start.get('year') ?? 0, month: start.get('month') ?? 0, day: start.get('day') ?? 0 };
}

export function oneDay(day: CalendarDay | undefined): Meaning | undefined {
  return day && { text: dayText(day), ...writtenDay(day) };
}

/** A day whose date the text already contains. */
export function writtenDay(day: CalendarDay): Meaning {
  return { day, span: daysFrom(day) };
}
