import type { CalendarDay } from './calendar.ts';
import type { Tense } from './tense.ts';

/** What a phrase means on a day. */
export interface Meaning {
  /** What to put in parentheses behind the phrase; undefined when the phrase says it itself. */
  readonly text?: string;
  /** Only when the phrase names one day. */
  readonly day?: CalendarDay;
}

export interface Reference {
  readonly today: CalendarDay;
  /** Of the sentence around the phrase. */
  readonly tense: () => Tense;
}

/** A phrase that may be read as a date. What no rule matches is no date: rather one date too few than one wrong. */
export interface DateRule {
  /** Global. */
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, reference: Reference) => Meaning | undefined;
}
