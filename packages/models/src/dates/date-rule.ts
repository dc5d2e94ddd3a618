import type { CalendarDay } from './calendar.ts';
import type { DaySpan } from './day-span.ts';
import type { PhraseRule } from './find-mentions.ts';

/** What a phrase means on a day. */
export interface Meaning {
  /** What to put in parentheses behind the phrase; undefined when the phrase says it itself. */
  readonly text?: string;
  /** Only when the phrase names one day. */
  readonly day?: CalendarDay;
  /** The days that somebody who says it may mean. */
  readonly span: DaySpan;
}

/** What no rule matches is no date: rather one date too few than one wrong. */
export type DateRule = PhraseRule<Meaning>;
