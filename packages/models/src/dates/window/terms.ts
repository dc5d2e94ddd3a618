import type { CalendarDay } from '../calendar.ts';
import { type DaySpan, lengthOf } from '../day-span.ts';
import { lastBegun, lastOver, mapTimes, nextBegun, nextUnfinished, type Recurring } from '../recurring.ts';

export type TermKind = 'day' | 'weekday' | 'holiday' | 'weekend' | 'month' | 'season' | 'year' | 'period' | 'open';

/** Days of which one end may be open. */
export interface OpenSpan {
  readonly from: CalendarDay | undefined;
  readonly to: CalendarDay | undefined;
}

/** What a phrase of a question means: some days, or recurring days of which the rest of the question tells which ones. */
export interface Meant {
  readonly kind: TermKind;
  readonly time: OpenSpan | Recurring;
  /** Whether it is certainly a date. "June" alone may be a person; a word such as "in" makes it clear. */
  readonly isClear: boolean;
  /** Whether it is also a first name. */
  readonly isName?: boolean;
}

export interface Term extends Meant {
  readonly phrase: string;
}

/** When a question is asked, and which of several possible times it is about. */
export interface Asking {
  readonly today: CalendarDay;
  readonly direction: 'past' | 'future' | 'nearest';
}

/** A phrase that is certainly a date. */
export function clear(time: OpenSpan | Recurring, kind: TermKind = 'period'): Meant {
  return { kind, time, isClear: true };
}

export function isRecurring(time: OpenSpan | Recurring): time is Recurring {
  return 'around' in time;
}

/** Its days, when it does not recur and neither end is open. */
export function fixedSpan({ time }: Meant): DaySpan | undefined {
  if (isRecurring(time)) return undefined;
  const { from, to } = time;
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Its days as seen from the day of asking, when neither end is open. */
export function closedSpan(term: Meant, { today, direction }: Asking): DaySpan | undefined {
  if (!isRecurring(term.time)) return fixedSpan(term);
  // A question asked on a Monday about Monday means the Monday before.
  const past = term.kind === 'weekday' ? lastOver(term.time, today) : lastBegun(term.time, today);
  const future = nextUnfinished(term.time, today);
  if (future === undefined || (direction === 'past' && past !== undefined)) return past;
  if (direction === 'future' || past === undefined) return future;
  const upcoming = nextBegun(term.time, today) ?? future;
  return lengthOf({ from: past.to, to: today }) <= lengthOf({ from: today, to: upcoming.from }) ? past : upcoming;
}

/** Maps a span, or each occurrence of a recurring one. Undefined when an end is open or the map returns undefined. */
export function mapTime(term: Meant, map: (span: DaySpan) => DaySpan | undefined): OpenSpan | Recurring | undefined {
  if (isRecurring(term.time)) return mapTimes(term.time, map);
  const span = fixedSpan(term);
  return span && map(span);
}
