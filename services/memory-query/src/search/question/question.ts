import type { memoryQuery, RequestOf } from '@mneme/contracts';
import { findTimeWindow, type Identified, identifiersOf, type LexicalEncoder } from '@mneme/models';
import type { DaysAtPlace } from '../../vectors/vector-index.ts';
import { type WordPairs, wordPairsOf } from './word-pairs.ts';

/** The request of a search in one agent. */
export type Search = Omit<RequestOf<typeof memoryQuery.search>, 'agentIds' | 'minSequence'>;

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
  /** The terms that look like names: with a capital letter in the middle of a sentence, and not those of the window. */
  readonly nameTerms: ReadonlySet<number>;
  /** Whether somebody asks about themselves. */
  readonly isInFirstPerson: boolean;
  readonly asksWhen: boolean;
  /** Whether it asks for what is so now, such as the latest of several. */
  readonly asksForLatest: boolean;
  /** When it is asked, in milliseconds since 1970. */
  readonly askedAt: number;
  /** The time that it names. */
  readonly window: TimeWindow | undefined;
  /** Whether it asks for hardly anything but what happened at that time. */
  readonly isAboutTime: boolean;
  /** Whether that time is over, and it asks what was then. */
  readonly isAboutPast: boolean;
  /** Tells whether a text has what it names by a number, such as "INV-55"; undefined if it names nothing so. */
  readonly identified: ((text: string) => Identified) | undefined;
  /** The terms that say what it is about, apart from the time and from words such as "happened". */
  readonly topics: ReadonlySet<number>;
}

const whenQuestion =
  /^\W*(when|since when|until when|how long ago|(on |in |at )?(what|which) (date|day|month|season|time|year)s?)\b/i;

const latestQuestion =
  /\b(?:latest|newest|most recent(?:ly)?|currently|current (?!in\b|is\b|was\b|of\b)|at present|at the moment|right now|nowadays|these days|last time)|\S now\b(?! that\b)/i;
/** "When did I last see Ben?", unlike "Did Ben's last name change?" or "What did I buy last Friday?" */
const lastDone =
  /\bdid (?:\S+ ){1,3}last (?!names?\b|nights?\b|weeks?\b|weekends?\b|months?\b|quarters?\b|terms?\b|years?\b|spring\b|summer\b|autumn\b|fall\b|winter\b|christmas\b|easter\b|\p{L}+day\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\b)\p{L}/iu;
const notLatest = /^\W*how (?:long|many|often)\b|\bat the latest\b/i;
const pastQuestion = /\b(?:did|was|were|had)\b/i;

const capitalInSentence = /(?<=[^\s.?!]\s["“‘(]?)\p{Lu}[\p{L}\p{N}]+/gu;
const nameInSentence = new RegExp(`${capitalInSentence.source}(?:['’]s)?`, 'gu');
const firstPerson = /\b(?:I|my|me|mine|we|our)\b/i;
/** "US" is a country. */
const us = /\b[Uu]s\b/;
/** Words that ask for events, whatever they were. */
const eventWords = 'happen done event';
const soFar = /\bso far\b/gi;
/** How a day is written in the text by whose words a unit is found. */
const dayWords = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*|\b\d+(?:st|nd|rd|th)?\b/giu;

/** @param askedAt ISO 8601 with an offset */
export function analyseQuestion(text: string, askedAt: string, lexical: LexicalEncoder): Question {
  const { indices, values } = lexical.query(text);
  const window = windowOf(text, askedAt, lexical);
  const asked = new Set(lexical.query(text.replace(soFar, ' ')).indices);
  const others = asked.difference(window?.terms ?? new Set());
  const topics = others.difference(new Set(lexical.query(eventWords).indices));
  const nameTerms = nameTermsOf(text, lexical).intersection(others);
  return {
    text,
    lowerText: text.toLowerCase(),
    terms: indices
      .map((id, index) => ({ id, count: values[index] ?? 0, isCommon: lexical.isCommon(id) }))
      .filter(({ id }) => !window?.excluded.has(id)),
    pairs: wordPairsOf(lexical.sequence(text)),
    window,
    nameTerms,
    isInFirstPerson: firstPerson.test(text) || us.test(text),
    askedAt: Date.parse(askedAt),
    asksWhen: whenQuestion.test(text),
    asksForLatest: (latestQuestion.test(text) || lastDone.test(text)) && !notLatest.test(text),
    isAboutTime: window !== undefined && (others.size <= 1 || (topics.size <= 1 && topics.isSubsetOf(nameTerms))),
    isAboutPast: window !== undefined && window.to <= Date.parse(askedAt) && pastQuestion.test(text),
    identified: identifiersOf(window === undefined ? text : text.replace(window.phrase, ' , ')),
    topics,
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

/** The days that a question names, at the place where it is asked. */
export interface TimeWindow extends DaysAtPlace {
  /** The words of the question that name it. */
  readonly phrase: string;
  /** The ids of the words that name it. */
  readonly terms: ReadonlySet<number>;
  /** Those of them that only other days have: "March" of "before March". */
  readonly excluded: ReadonlySet<number>;
  /**
   * The numbers among them, each in all its forms, with the words beside it: "12" and "12th" with "October". None of a day
   * that is excluded.
   */
  readonly numbers: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Behind a time: after "the September 11 attacks", the attacks are meant. */
const endOfTime = /^\s*(?:$|[^\s\p{L}\p{N}]|(?:in|at|with|for|and|or)\b)/iu;
const excludes = /\b(?:before|after|prior to|earlier than|later than)\b/i;

/** @param askedAt ISO 8601 with an offset */
function windowOf(question: string, askedAt: string, lexical: LexicalEncoder): TimeWindow | undefined {
  const window = findTimeWindow(question, askedAt);
  if (!window) return undefined;
  const { phrase } = window;
  const terms = new Set(lexical.query(phrase).indices);
  const [before = '', after = ''] = question.split(phrase, 2);
  const days = excludes.test(phrase) && endOfTime.test(after) ? (phrase.match(dayWords) ?? []) : [];
  const elsewhere = new Set(lexical.query(`${before} ${after}`).indices);
  const excluded = new Set(lexical.query(days.join(' ')).indices).difference(elsewhere);
  // Only other days have those of "before 29 February".
  const numbers: TimeWindow['numbers'] = days.length > 0 ? new Map() : numbersOf(phrase, lexical);
  return { ...inMs(window), utcDays: inMs(window.utcDays), phrase, terms, excluded, numbers };
}

/** Of days, not of years, which stand for nothing else. */
const dayNumber = /(?<![\p{L}\p{N}])(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\p{N}])/giu;

function numbersOf(phrase: string, lexical: LexicalEncoder): TimeWindow['numbers'] {
  const sequence = lexical.sequence(phrase);
  const numbers = new Map<number, ReadonlySet<number>>();
  for (const [, number = ''] of phrase.matchAll(dayNumber)) {
    const forms = lexical.sequence(['', 'st', 'nd', 'rd', 'th'].map((end) => number + end).join(' '));
    const beside = sequence.filter((_, at) =>
      [sequence[at - 1], sequence[at + 1]].some((term) => term !== undefined && forms.includes(term)),
    );
    for (const form of forms) numbers.set(form, new Set(beside));
  }
  return numbers;
}

function inMs({ from, to }: { readonly from: string; readonly to: string }) {
  return { from: Date.parse(from), to: Date.parse(to) };
}

/** Midnight in UTC stands for an event of which only the day is known, although it is the day before west of UTC. */
export function isWithin(date: Date, window: TimeWindow | undefined): boolean {
  if (!window) return false;
  const { from, to, utcDays } = window;
  const time = date.getTime();
  return time === utcDays.from || (time >= from && time < to && time !== utcDays.to);
}
