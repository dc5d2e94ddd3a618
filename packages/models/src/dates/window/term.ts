import type { CalendarDay } from '../calendar.ts';
import { type DaySpan, lengthOf } from '../day-span.ts';
import { lastBegun, lastOver, mapTimes, nextBegun, nextUnfinished, type Recurring } from '../recurring.ts';

export type TermKind = 'day' | 'weekday' | 'holiday' | 'weekend' | 'month' | 'season' | 'year' | 'period' | 'open';

/** Days of which one end may be open. */
export interface OpenSpan {
  readonly from: CalendarDay | undefined;
  readonly to: CalendarDay | undefined;
}

/** What a part of a question means: some days, or days that come again and of which the rest of the question says which. */
export interface Meant {
  readonly kind: TermKind;
  readonly time: OpenSpan | Recurring;
  /** Whether it is surely a date. "June" is none without a word like "in", because it may be a person. */
  readonly isClear: boolean;
  /** Whether people bear that name. */
  readonly isName?: boolean;
}

export interface Term extends Meant {
  readonly phrase: string;
}

/** Which one of several times a question is about. */
export type Direction = 'past' | 'future' | 'nearest';

export interface Asking {
  readonly today: CalendarDay;
  readonly direction: Direction;
}

export function isRecurring(time: OpenSpan | Recurring): time is Recurring {
  return 'around' in time;
}

/** Its days, when neither end is open and it does not come again. */
export function fixedSpan({ time }: Meant): DaySpan | undefined {
  if (isRecurring(time)) return undefined;
  const { from, to } = time;
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Its days as seen from the day of asking, when neither end is open. */
export function closedSpan(term: Meant, asking: Asking): DaySpan | undefined {
  if (!isRecurring(term.time)) return fixedSpan(term);
  const { today, direction } = asking;
  // Who asks about Monday on a Monday means the one before.
  const past = term.kind === 'weekday' ? lastOver(term.time, today) : lastBegun(term.time, today);
  const future = nextUnfinished(term.time, today);
  if (future === undefined || (direction === 'past' && past !== undefined)) return past;
  if (direction === 'future' || past === undefined) return future;
  const upcoming = nextBegun(term.time, today) ?? future;
  return lengthOf({ from: past.to, to: today }) <= lengthOf({ from: today, to: upcoming.from }) ? past : upcoming;
}

/** The same in relation to each of its times. Undefined when an end is open, or when the map knows no answer. */
export function mapTime(term: Meant, map: (span: DaySpan) => DaySpan | undefined): OpenSpan | Recurring | undefined {
  if (isRecurring(term.time)) return mapTimes(term.time, map);
  const span = fixedSpan(term);
  return span && map(span);
}
