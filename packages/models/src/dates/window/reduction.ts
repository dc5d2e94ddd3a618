import type { Asking, Meant, Term } from './term.ts';

/**
 * A question in which each term is one character of the private use area, so that a rule of the grammar is a regular
 * expression over words and terms. Applying the rules leaves fewer and larger terms.
 */
export interface MaskedQuestion {
  readonly text: string;
  readonly terms: readonly Term[];
}

/** Reads what a rule's pattern found. The terms are those of the match, in order. */
export interface Reduction {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, terms: readonly Term[], asking: Asking) => Meant | undefined;
}

const firstMask = 0xe000;
const maskPattern = /[\uE000-\uF8FF]/g;

/** A rule whose pattern may hold `<T>` for a term; letter case makes no difference. */
export function reduction(pattern: string, read: Reduction['read']): Reduction {
  return { pattern: new RegExp(pattern.replaceAll('<T>', maskPattern.source), 'giu'), read };
}

/** So much in front of a term is read for the word there; a longer word is none that is looked for. */
const longestBefore = 40;

/** The word in front of what was found, an article aside, in lower case. */
export function wordBefore({ input, index }: RegExpExecArray): string {
  const before = input.slice(Math.max(0, index - longestBefore), index);
  return /([a-z]{1,40})[ -](?:the )?$/i.exec(before)?.[1]?.toLowerCase() ?? '';
}

/** Whether the sentence goes on behind a date in a way that it does not behind a person: "before May left". */
export function isDateContext({ 0: phrase, input, index }: RegExpExecArray): boolean {
  return /^\s*(?:$|[?.!,;:)]|(?:and|or|in|at|with|to|until|till|for|on|from|about|that|which|who|did|do|does|the|my|our|this|last)\b)/i.test(
    input.slice(index + phrase.length),
  );
}

/** Puts terms where they stand in the question. */
export function maskTerms(
  question: string,
  found: readonly (Meant & { start: number; end: number })[],
): MaskedQuestion {
  let text = '';
  let copied = 0;
  const terms = found.map(({ start, end, ...meant }, index) => {
    text += question.slice(copied, start) + maskOf(index);
    copied = end;
    return { ...meant, phrase: question.slice(start, end) };
  });
  return { text: text + question.slice(copied), terms };
}

/** Without characters that would pass for terms. */
export function withoutMasks(text: string): string {
  return text.replace(maskPattern, ' ');
}

/** Applies each rule as often as it fits, in the order of the rules. */
export function reduce(question: MaskedQuestion, rules: readonly Reduction[], asking: Asking): MaskedQuestion {
  return rules.reduce((reduced, rule) => applyRule(reduced, rule, asking), question);
}

/** The terms that are left, in the order of the question. */
export function remainingTerms({ text, terms }: MaskedQuestion): Term[] {
  return termsIn(text, terms);
}

function applyRule({ text, terms }: MaskedQuestion, { pattern, read }: Reduction, asking: Asking): MaskedQuestion {
  const found = [...terms];
  let rest = text;
  let match = matchFrom(pattern, rest, 0);
  while (match !== null) {
    const meant = read(match, termsIn(match[0], found), asking);
    if (meant !== undefined) {
      const phrase = match[0].replace(maskPattern, (mask) => termOf(mask, found)?.phrase ?? '');
      rest = rest.slice(0, match.index) + maskOf(found.length) + rest.slice(match.index + match[0].length);
      found.push({ ...meant, phrase });
    }
    // A larger term may be a part of the same rule again; every reading takes away characters, so this ends.
    match = matchFrom(pattern, rest, meant && isShorter(match) ? 0 : match.index + 1);
  }
  return { text: rest, terms: found };
}

/** A reading that only changes a term must not be tried on it for ever. */
function isShorter(match: RegExpExecArray): boolean {
  return match[0].length > 1;
}

function matchFrom(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

function termsIn(text: string, terms: readonly Term[]): Term[] {
  return (text.match(maskPattern) ?? []).flatMap((mask) => termOf(mask, terms) ?? []);
}

function termOf(mask: string, terms: readonly Term[]): Term | undefined {
  return terms[mask.charCodeAt(0) - firstMask];
}

function maskOf(index: number): string {
  return String.fromCharCode(firstMask + index);
}
