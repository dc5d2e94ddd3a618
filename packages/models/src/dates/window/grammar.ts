import type { Place } from '../mentions.ts';
import type { Asking, Meant, Term } from './terms.ts';

/**
 * A rule of the grammar: a regular expression over the question, in which each term is one character of the private use
 * area. What the rule reads becomes a term itself.
 */
export interface Reduction {
  readonly pattern: RegExp;
  /** @param terms those of the match, in order */
  readonly read: (match: RegExpExecArray, terms: readonly Term[], asking: Asking) => Meant | undefined;
}

const firstMask = 0xe000;
const maskPattern = /[\uE000-\uF8FF]/g;

/** A rule whose pattern contains `<T>` for a term. The pattern ignores case. */
export function reduction(pattern: string, read: Reduction['read']): Reduction {
  return { pattern: new RegExp(pattern.replaceAll('<T>', maskPattern.source), 'giu'), read };
}

/** Removes the characters that the grammar uses for terms. */
export function withoutMasks(text: string): string {
  return text.replace(maskPattern, ' ');
}

/** Applies each rule to a question as often as it matches, and returns the terms that remain, in text order. */
export function composeTerms(
  question: string,
  found: readonly (Meant & Place)[],
  rules: readonly Reduction[],
  asking: Asking,
): Term[] {
  const terms: Term[] = [];
  let text = '';
  let copied = 0;
  for (const { start, end, ...meant } of found) {
    text += question.slice(copied, start) + maskOf(terms.length);
    terms.push({ ...meant, phrase: question.slice(start, end) });
    copied = end;
  }
  text += question.slice(copied);
  for (const rule of rules) text = applyRule(rule, text, terms, asking);
  return termsIn(text, terms);
}

/** Adds the new terms to `terms`. */
function applyRule({ pattern, read }: Reduction, question: string, terms: Term[], asking: Asking): string {
  let text = question;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: matched, index } = match;
    pattern.lastIndex = index + 1;
    const meant = read(match, termsIn(matched, terms), asking);
    if (meant === undefined) continue;
    const phrase = matched.replace(maskPattern, (mask) => termOf(mask, terms)?.phrase ?? '');
    text = text.slice(0, index) + maskOf(terms.length) + text.slice(index + matched.length);
    terms.push({ ...meant, phrase });
    // The new term may be part of another match of the rule. Only a match that made the text shorter is followed by a
    // fresh start, so that this ends.
    if (matched.length > 1) pattern.lastIndex = 0;
  }
  return text;
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

/** Only this much text before a term is searched for the preceding word, so that the time stays linear. */
const longestBefore = 40;

/** The word before a match, an article aside, in lower case. */
export function wordBefore({ input, index }: RegExpExecArray): string {
  const before = input.slice(Math.max(0, index - longestBefore), index);
  return /([a-z]{1,40})[ -](?:the )?$/i.exec(before)?.[1]?.toLowerCase() ?? '';
}

/** Whether the text after a match can follow a date but hardly a person: "before May, ..." but not "before May left". */
export function isDateContext({ 0: matched, input, index }: RegExpExecArray): boolean {
  return /^\s*(?:$|[?.!,;:)]|(?:and|or|in|at|with|to|until|till|for|on|from|about|that|which|who|did|do|does|the|my|our|this|last)\b)/i.test(
    input.slice(index + matched.length),
  );
}
