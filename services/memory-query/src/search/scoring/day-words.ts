import { indexedText, type LexicalEncoder, type SparseVector, writtenDates } from '@mneme/models';
import { isWithin, type Question, type TimeWindow } from '../question/question.ts';
import type { Candidate, Visit } from './activation.ts';

/** How much of a text is read, in characters. */
const readLength = 1_000;

export interface DayWordsContext {
  readonly question: Pick<Question, 'window'>;
  readonly lexical: Pick<LexicalEncoder, 'sequence'>;
  /** Of the terms of the question. */
  readonly weights: SparseVector;
}

type Matches = Pick<Visit, 'match' | 'passageMatch'>;

/**
 * How well units match a question apart from the words of a day with a number, unless they are of that day or name it: to
 * "What happened on 12 October?" "Bus 12 was late" and all of October have such a word by chance.
 */
export function matchWithoutDay(
  candidates: readonly Candidate[],
  { question: { window }, lexical, weights }: DayWordsContext,
): (each: Candidate) => Matches {
  if (window === undefined || window.numbers.size === 0) return (each) => each;
  const weightOf = new Map(weights.indices.map((term, index) => [term, weights.values[index] ?? 0]));
  const passages = Map.groupBy(candidates, ({ passage }) => passage);
  const terms = new Map<string, number[]>();
  const read = ({ id, unit }: Candidate) => {
    const found = terms.get(id) ?? termsOf(unit, lexical);
    terms.set(id, found);
    return found;
  };
  const without = <T extends { readonly words: number }>(match: T, found: readonly number[]): T => {
    const shared = new Set(found).intersection(window.terms);
    const chance = [...shared].reduce((sum, term) => sum + (weightOf.get(term) ?? 0), 0);
    return { ...match, words: Math.max(0, match.words - chance) };
  };
  return (each) => {
    if (isWithin(each.unit.eventDate, window) || namesDay(read(each), window)) return each;
    const beside = passages.get(each.passage) ?? [];
    return {
      match: without(each.match, read(each)),
      passageMatch: without(each.passageMatch, beside.flatMap(read)),
    };
  };
}

/** The terms by which a unit is found. */
function termsOf(
  { text, eventDate }: Pick<Candidate['unit'], 'text' | 'eventDate'>,
  lexical: Pick<LexicalEncoder, 'sequence'>,
): number[] {
  return lexical.sequence(indexedText({ text: text.slice(0, readLength), eventDate: eventDate.toISOString() }));
}

/** "May we" is no month; as a word, "may" is too common to tell anything. */
const may = /\bMay\b(?! (?:I|we|you|he|she|it|they)\b)/;

/**
 * Whether a unit names the time of a question: by a date of that time, a day of it by its number, or else by one of the words,
 * such as the month. "Last month" is found by its date alone, because the words are those of any month; so is "before March",
 * because only other days have its word.
 */
export function namesTime(
  unit: Pick<Candidate['unit'], 'text' | 'eventDate'>,
  { window }: DayWordsContext['question'],
  lexical: Pick<LexicalEncoder, 'sequence' | 'isCommon'>,
): boolean {
  if (window === undefined) return false;
  const text = unit.text.slice(0, readLength);
  if (hasDateOf(text, window)) return true;
  if (window.numbers.size > 0) return namesDay(termsOf(unit, lexical), window);
  if (window.excluded.size === 0 && may.test(text) && /\bmay\b/i.test(window.phrase)) return true;
  const terms = lexical.sequence(text);
  return terms.some((term) => window.terms.has(term) && !window.excluded.has(term) && !lexical.isCommon(term));
}

/** Whether a date of a text is within a time, or in part and no longer; a whole year does not tell which of its months. */
function hasDateOf(text: string, { utcDays }: TimeWindow): boolean {
  return writtenDates(text).some((date) => {
    const [from, to] = [Date.parse(date.from), Date.parse(date.to)];
    return from < utcDays.to && to > utcDays.from && to - from <= utcDays.to - utcDays.from;
  });
}

/** Whether a number of the day stands beside a word that it has in the question, or has none there. */
function namesDay(terms: readonly number[], { numbers }: TimeWindow): boolean {
  return terms.some((term, at) => {
    const beside = numbers.get(term);
    if (beside === undefined) return false;
    return (
      beside.size === 0 || [terms[at - 1], terms[at + 1]].some((other) => other !== undefined && beside.has(other))
    );
  });
}
