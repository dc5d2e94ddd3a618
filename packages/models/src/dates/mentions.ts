import type { CalendarDay, ItemDate } from './calendar.ts';
import type { DaySpan } from './day-span.ts';
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

/** A rule for the text of facts. Text that no rule matches is not a date: a missed date does less harm than a wrong one. */
export type DateRule = PhraseRule<Meaning>;

export interface Place {
  readonly start: number;
  readonly end: number;
}

const sentenceEnds = '.!?\n';
/** At most this much of a sentence is read on each side of a phrase, so that the time stays linear. */
const longestSide = 1_000;

/** At most this many dates of a text are read; reading one takes up to 0.2 ms. */
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
  const sentence = () => sentenceAround(match.input, start, end);
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

function sentenceAround(text: string, start: number, end: number): Surroundings {
  const first = Math.max(0, start - longestSide);
  const last = Math.min(text.length, end + longestSide);
  let from = start;
  while (from > first && !sentenceEnds.includes(text.charAt(from - 1))) from -= 1;
  let to = end;
  while (to < last && !sentenceEnds.includes(text.charAt(to))) to += 1;
  return { before: text.slice(from, start), after: text.slice(end, to) };
}
