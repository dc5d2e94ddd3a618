import { endsInAbbreviation, readBefore, smallAbbreviation } from './abbreviations.ts';
import type { CalendarDay, ItemDate } from './calendar.ts';
import { dayText } from './date-words.ts';
import { type DaySpan, daysFrom } from './day-span.ts';
import { type Tense, tenseOf } from './tense.ts';

/** What stands before and after a phrase. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
}

/** Where and when a phrase is said. */
export interface Reference {
  readonly date: ItemDate;
  /** The day of `date`. */
  readonly today: CalendarDay;
  /** The sentence around the phrase, without it. */
  readonly sentence: () => Surroundings;
  /** The tense of that sentence. */
  readonly tense: () => Tense;
}

/** A phrase that may be read as a date. The pattern has the flag `g`. */
export interface PhraseRule<Read> {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, reference: Reference) => Read | undefined;
}

/** What a phrase means on a given day. */
export interface Meaning {
  /** What to add in parentheses after the phrase; undefined when the phrase already says it. */
  readonly text?: string;
  /** Set only when the phrase names a single day. */
  readonly day?: CalendarDay;
  /** The days that the speaker may mean. */
  readonly span: DaySpan;
}

export function oneDay(day: CalendarDay | undefined): Meaning | undefined {
  return day && { text: dayText(day), ...writtenDay(day) };
}

/** A day whose date the text already contains. */
export function writtenDay(day: CalendarDay): Meaning {
  return { day, span: daysFrom(day) };
}

/** A rule for the text of facts. Text that no rule matches is not a date: a missed date does less harm than a wrong one. */
export type DateRule = PhraseRule<Meaning>;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** At most this much of a sentence is read on each side of a phrase, so that the time stays linear. */
const longestSide = 400;
/** What is read around a possible end of a sentence, in characters. */
const surroundings = 12;
const capital = /^["'“‘(]?\p{Lu}/u;

/** At most this many dates of a text are read; reading one takes up to 0.5 ms. */
const defaultMost = 200;

/**
 * The dates that the rules find in a text, in text order. Where matches overlap, the one that starts first counts, then
 * the longer one, then the one of the earlier rule.
 *
 * @param date when and where the text was said
 * @param most how many matches are read at most, from the start of the text
 */
export function findMentions<Read extends object>(
  text: string,
  date: ItemDate,
  rules: readonly PhraseRule<Read>[],
  most = defaultMost,
): (Read & Place)[] {
  const matches = rules.flatMap((rule) => Array.from(text.matchAll(rule.pattern), (match) => ({ rule, match })));
  matches.sort(({ match: left }, { match: right }) => left.index - right.index || right[0].length - left[0].length);
  const found: (Read & Place)[] = [];
  let tries = 0;
  for (const { rule, match } of matches) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const mention = read(rule, match, date);
    if (mention !== undefined) found.push(mention);
    tries += 1;
    if (tries === most) break;
  }
  return found;
}

function read<Read extends object>(
  rule: PhraseRule<Read>,
  match: RegExpExecArray,
  date: ItemDate,
): (Read & Place) | undefined {
  const start = match.index;
  const end = start + match[0].length;
  if (isQuoted(match.input, start, end)) return undefined;
  let around: Surroundings | undefined;
  const sentence = () => {
    around ??= sentenceAround(match.input, start, end);
    return around;
  };
  const tense = () => {
    const { before, after } = sentence();
    return tenseOf(before + match[0] + after);
  };
  const meaning = rule.read(match, { date, today: date.day, sentence, tense });
  return meaning && { ...meaning, start, end };
}

/** A phrase alone in quotation marks is a title. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /["“”«]/.test(text[start - 1] ?? '') && /["“”»]/.test(text[end] ?? '');
}

/** Its lines are joined. Where it would begin with a small letter, a line break tells nothing and ends it. */
function sentenceAround(text: string, start: number, end: number): Surroundings {
  const wrapped = boundsAround(text, start, end, endsSentence);
  const beginsSmall = /^[^\p{L}]*\p{Ll}/u.test(text.slice(wrapped.start, wrapped.end));
  const own = beginsSmall ? boundsAround(text, start, end, endsLineOrSentence) : wrapped;
  return { before: joinLines(text.slice(own.start, start)), after: joinLines(text.slice(end, own.end)) };
}

function boundsAround(text: string, start: number, end: number, isEnd: typeof endsSentence): Place {
  const first = Math.max(0, start - longestSide);
  const last = Math.min(text.length, end + longestSide);
  let from = start;
  while (from > first && !isEnd(text, from - 1)) from -= 1;
  let to = end;
  while (to < last && !isEnd(text, to)) to += 1;
  return { start: from, end: to };
}

function endsLineOrSentence(text: string, index: number): boolean {
  return text.charAt(index) === '\n' || endsSentence(text, index);
}

/** A line goes on with the sentence when it begins with a small letter. */
function endsSentence(text: string, index: number): boolean {
  const mark = text.charAt(index);
  if (!'.!?\n'.includes(mark)) return false;
  const after = text.slice(index + 1, index + 1 + surroundings);
  if (mark === '\n') return !/^[ \t>]*\p{Ll}/u.test(after);
  if (!/^["'”’)\]*_]*(?:\s|$)/.test(after)) return false;
  if (mark !== '.') return true;
  const before = text.slice(Math.max(0, index - readBefore), index);
  const next = after.trimStart();
  return /^\p{Ll}/u.test(next) ? !smallAbbreviation.test(before) : !endsInAbbreviation(`${before}.`, next, capital);
}

function joinLines(text: string): string {
  return text.replace(/\n[ \t>]*/g, ' ');
}
