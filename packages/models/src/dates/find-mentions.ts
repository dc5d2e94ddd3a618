import type { CalendarDay } from './calendar.ts';
import { type Tense, tenseOf } from './tense.ts';

/** Where and when a phrase is said. */
export interface Reference {
  readonly today: CalendarDay;
  /** Of the sentence around the phrase. */
  readonly tense: () => Tense;
}

/** A phrase that may be read as a date; the pattern is global. */
export interface PhraseRule<Read> {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, reference: Reference) => Read | undefined;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

const sentenceEnds = '.!?\n';

/** No more dates of a text are read than this: reading one takes up to a fifth of a millisecond. */
const defaultMost = 200;

/**
 * What the rules read in a text, in its order; where two meet, the earlier one counts, then the longer one, then that of the earlier rule.
 *
 * @param most so many mentions are read, from the start of the text
 */
export function findMentions<Read extends object>(
  text: string,
  today: CalendarDay,
  rules: readonly PhraseRule<Read>[],
  most = defaultMost,
): (Read & Place)[] {
  const matches = rules.flatMap((rule) => Array.from(text.matchAll(rule.pattern), (match) => ({ rule, match })));
  matches.sort(({ match: left }, { match: right }) => left.index - right.index || right[0].length - left[0].length);
  const found: (Read & Place)[] = [];
  let tries = 0;
  for (const { rule, match } of matches) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const mention = read(rule, match, today);
    if (mention !== undefined) found.push(mention);
    tries += 1;
    if (tries === most) break;
  }
  return found;
}

function read<Read extends object>(
  rule: PhraseRule<Read>,
  match: RegExpExecArray,
  today: CalendarDay,
): (Read & Place) | undefined {
  const start = match.index;
  const end = start + match[0].length;
  if (isQuoted(match.input, start, end)) return undefined;
  const tense = () => tenseOf(sentenceAround(match.input, start, end));
  const meaning = rule.read(match, { today, tense });
  return meaning && { ...meaning, start, end };
}

/** A phrase that stands in quotes alone is a title. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /["“”«]/.test(text[start - 1] ?? '') && /["“”»]/.test(text[end] ?? '');
}

function sentenceAround(text: string, start: number, end: number): string {
  let from = start;
  while (from > 0 && !sentenceEnds.includes(text.charAt(from - 1))) from -= 1;
  let to = end;
  while (to < text.length && !sentenceEnds.includes(text.charAt(to))) to += 1;
  return text.slice(from, to);
}
