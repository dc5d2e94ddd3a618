import { findTimeWindow, type LexicalEncoder } from '@mneme/models';

/** A span of time that a question names; half-open, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
  /** The ids of the words that name it. */
  readonly terms: ReadonlySet<number>;
}

/** @param askedAt ISO 8601 with an offset */
export function windowOf(question: string, askedAt: string, lexical: LexicalEncoder): TimeWindow | undefined {
  const window = findTimeWindow(question, askedAt);
  if (!window) return undefined;
  const terms = new Set(lexical.query(window.phrase).indices);
  return { from: Date.parse(window.from), to: Date.parse(window.to), terms };
}

export function isWithin(date: Date, window: TimeWindow | undefined): boolean {
  return window !== undefined && date.getTime() >= window.from && date.getTime() < window.to;
}
