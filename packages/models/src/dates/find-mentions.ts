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

/** What the rules read in a text, in its order; where two meet, the earlier one counts, then the longer one, then that of the earlier rule. */
export function findMentions<Read extends object>(
  text: string,
  today: CalendarDay,
  rules: readonly PhraseRule<Read>[],
): (Read & Place)[] {
  const found = rules.flatMap((rule) => [...text.matchAll(rule.pattern)].flatMap((match) => read(rule, match, today)));
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  let end = 0;
  return found.filter((mention) => {
    const isFree = mention.start >= end;
    if (isFree) end = mention.end;
    return isFree;
  });
}

function read<Read extends object>(
  rule: PhraseRule<Read>,
  match: RegExpExecArray,
  today: CalendarDay,
): (Read & Place)[] {
  const start = match.index;
  const end = start + match[0].length;
  if (isQuoted(match.input, start, end)) return [];
  const tense = () => tenseOf(sentenceAround(match.input, start, end));
  const meaning = rule.read(match, { today, tense });
  return meaning === undefined ? [] : [{ ...meaning, start, end }];
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
