import { casual } from 'chrono-node/en';
import type { CalendarDay } from './calendar.ts';

/**
 * The day that an English phrase means on a given day, by chrono. Undefined when chrono cannot read all of it.
 *
 * Chrono computes with the local time of this machine, shifted. It is asked at noon, so that no change of the clocks can move the day.
 */
export function dayByChrono(phrase: string, today: CalendarDay): CalendarDay | undefined {
  const instant = new Date(Date.UTC(today.year, today.month - 1, today.day, 12));
  const [result, ...others] = casual.parse(phrase, { instant, timezone: 0 });
  if (result === undefined || others.length > 0 || result.text.length !== phrase.length) return undefined;
  const { start } = result;
  return { year: start.get('year') ?? 0, month: start.get('month') ?? 0, day: start.get('day') ?? 0 };
}
