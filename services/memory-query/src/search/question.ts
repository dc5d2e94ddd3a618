import type { LexicalEncoder } from '@mneme/models';
import { type TimeWindow, windowOf } from './time-window.ts';

export interface QuestionTerm {
  readonly id: number;
  /** How often the question has it. */
  readonly count: number;
  /** Whether almost any text may have it. */
  readonly isCommon: boolean;
}

/** What a search wants to know of the question. */
export interface Question {
  readonly text: string;
  readonly lowerText: string;
  /** Its words that are worth comparing. */
  readonly terms: readonly QuestionTerm[];
  /** Those of its terms that look like names: with a capital letter in the middle of a sentence. */
  readonly nameTerms: ReadonlySet<number>;
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

const capitalInSentence = /(?<=[^\s.?!]\s["“‘(]?)\p{Lu}[\p{L}\p{N}]+/gu;

/** @param askedAt ISO 8601 with an offset */
export function analyseQuestion(text: string, askedAt: string, lexical: LexicalEncoder): Question {
  const { indices, values } = lexical.query(text);
  const terms = indices.map((id, index) => ({ id, count: values[index] ?? 0, isCommon: lexical.isCommon(id) }));
  const window = windowOf(text, askedAt, lexical);
  const others = terms.filter(({ id }) => !window?.terms.has(id));
  return {
    ...{
      text,
      lowerText: text.toLowerCase(),
      terms,
      window,
      nameTerms: nameTermsOf(text, lexical),
      askedAt: Date.parse(askedAt),
    },
    asksWhen: whenQuestion.test(text),
    isAboutTime: window !== undefined && others.length <= 1,
  };
}

function nameTermsOf(text: string, lexical: LexicalEncoder): ReadonlySet<number> {
  const words = text.match(capitalInSentence) ?? [];
  return new Set(lexical.query(words.join(' ')).indices.filter((id) => !lexical.isCommon(id)));
}

/** Whether the question names the person, as a word of its own. */
export function names(question: Question, person: string): boolean {
  // Thousands may have spoken, and few of them are named.
  if (!question.lowerText.includes(person.toLowerCase())) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(person)}(?![\\p{L}\\p{N}])`, 'iu').test(question.text);
}
