import type { FactType, rerankers } from '@mneme/contracts';
import { findTimeWindow, type LexicalEncoder } from '@mneme/models';
import type { UnitFilters } from '../../units/unit-filter.ts';
import { type WordPairs, wordPairsOf } from './word-pairs.ts';

/** The request of a search. */
export interface Search extends UnitFilters {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** Empty for all types. */
  readonly factTypes: readonly FactType[];
  /** The most units that are visited. */
  readonly thinkingBudget: number;
  /** The most results. */
  readonly limit?: number | null | undefined;
  /** The most cl100k tokens of all results' texts together. */
  readonly maxTokens: number;
  readonly reranker: (typeof rerankers)[number];
  /** Results below this score are left out, and no others; null for the default, which depends on the question. */
  readonly minScore?: number | null | undefined;
  readonly trace: boolean;
  /** ISO 8601 with an offset; null for the present time. */
  readonly questionDate: string | null;
}

export interface QuestionTerm {
  readonly id: number;
  /** How often the question has it. */
  readonly count: number;
  /** Whether almost any text may have it. */
  readonly isCommon: boolean;
}

/** The properties of a question that a search uses. */
export interface Question {
  readonly text: string;
  readonly lowerText: string;
  /** Its significant words. */
  readonly terms: readonly QuestionTerm[];
  readonly pairs: WordPairs;
  /** The terms that look like names: with a capital letter in the middle of a sentence. */
  readonly nameTerms: ReadonlySet<number>;
  /** Whether somebody asks about themselves. */
  readonly isInFirstPerson: boolean;
  readonly asksWhen: boolean;
  /** When it is asked, in milliseconds since 1970. */
  readonly askedAt: number;
  /** The time that it names. */
  readonly window: TimeWindow | undefined;
  /** Whether it asks for hardly anything but what happened at that time. */
  readonly isAboutTime: boolean;
}

const whenQuestion =
  /^\W*(when|since when|until when|how long ago|(on |in |at )?(what|which) (date|day|month|season|time|year)s?)\b/i;

const capitalInSentence = /(?<=[^\s.?!]\s["“‘(]?)\p{Lu}[\p{L}\p{N}]+/gu;
const nameInSentence = new RegExp(`${capitalInSentence.source}(?:['’]s)?`, 'gu');
const firstPerson = /\b(?:I|my|me|mine|we|our|us)\b/i;

/** @param askedAt ISO 8601 with an offset */
export function analyseQuestion(text: string, askedAt: string, lexical: LexicalEncoder): Question {
  const { indices, values } = lexical.query(text);
  const terms = indices.map((id, index) => ({ id, count: values[index] ?? 0, isCommon: lexical.isCommon(id) }));
  const window = windowOf(text, askedAt, lexical);
  const others = terms.filter(({ id }) => !window?.terms.has(id));
  return {
    text,
    lowerText: text.toLowerCase(),
    terms,
    pairs: wordPairsOf(lexical.sequence(text)),
    window,
    nameTerms: nameTermsOf(text, lexical),
    isInFirstPerson: firstPerson.test(text),
    askedAt: Date.parse(askedAt),
    asksWhen: whenQuestion.test(text),
    isAboutTime: window !== undefined && others.length <= 1,
  };
}

/** The question without what looks like names: "What does research?" of "What does Caroline research?". */
export function withoutNames(text: string): string {
  return text.replace(nameInSentence, ' ').replace(/\s+/g, ' ').trim();
}

function nameTermsOf(text: string, lexical: LexicalEncoder): ReadonlySet<number> {
  const words = text.match(capitalInSentence) ?? [];
  return new Set(lexical.query(words.join(' ')).indices.filter((id) => !lexical.isCommon(id)));
}

/** Whether the question names the person, as a word of its own. */
export function names(question: Question, person: string): boolean {
  // A quick check first, because there may be thousands of speakers, few of whom are named.
  if (!question.lowerText.includes(person.toLowerCase())) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(person)}(?![\\p{L}\\p{N}])`, 'iu').test(question.text);
}

/** A span of time that a question names; half-open, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
  /** The ids of the words that name it. */
  readonly terms: ReadonlySet<number>;
}

/** @param askedAt ISO 8601 with an offset */
function windowOf(question: string, askedAt: string, lexical: LexicalEncoder): TimeWindow | undefined {
  const window = findTimeWindow(question, askedAt);
  if (!window) return undefined;
  const terms = new Set(lexical.query(window.phrase).indices);
  return { from: Date.parse(window.from), to: Date.parse(window.to), terms };
}

export function isWithin(date: Date, window: TimeWindow | undefined): boolean {
  return window !== undefined && date.getTime() >= window.from && date.getTime() < window.to;
}
