import type { LexicalEncoder } from '@mneme/models';
import { type TimeWindow, windowOf } from './time-window.ts';

/** What a search wants to know of the question. */
export interface Question {
  readonly text: string;
  /** The ids of its words that are worth comparing, and how often it has each. */
  readonly terms: readonly { readonly id: number; readonly count: number }[];
  readonly asksWhen: boolean;
  /** When it is asked, in milliseconds since 1970. */
  readonly askedAt: number;
  /** The time that it names. */
  readonly window: TimeWindow | undefined;
  /** Whether it asks what there was at that time, and for hardly anything else. */
  readonly isAboutTime: boolean;
}

const whenQuestion =
  /^\W*(when|since when|until when|how long ago|(on |in |at )?(what|which) (date|day|month|season|time|year)s?)\b/i;

/** @param askedAt ISO 8601 with an offset */
export function analyseQuestion(text: string, askedAt: string, lexical: LexicalEncoder): Question {
  const { indices, values } = lexical.query(text);
  const terms = indices.map((id, index) => ({ id, count: values[index] ?? 0 }));
  const window = windowOf(text, askedAt, lexical);
  const others = terms.filter(({ id }) => !window?.terms.has(id));
  return {
    ...{ text, terms, window, askedAt: Date.parse(askedAt) },
    asksWhen: whenQuestion.test(text),
    isAboutTime: window !== undefined && others.length <= 1,
  };
}

/** Whether the question names the person, as a word of its own. */
export function names(question: Question, person: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(person)}(?![\\p{L}\\p{N}])`, 'iu').test(question.text);
}
