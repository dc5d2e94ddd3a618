import { type CalendarDay, type ItemDate, isSameDay } from './calendar.ts';
import type { DateRule, Meaning } from './date-rule.ts';
import { dayRules } from './day-rules.ts';
import { periodRules } from './period-rules.ts';
import { tenseOf } from './tense.ts';

interface Mention extends Meaning {
  readonly start: number;
  readonly end: number;
}

export interface DatedText {
  /** The text, with the absolute date behind each relative one: `yesterday (7 May 2023)`. */
  readonly text: string;
  /** The days that it names, each once. */
  readonly days: readonly CalendarDay[];
}

/** Far from the ends of the calendar, so that no date computed from a readable one leaves the years of four digits. */
const firstYear = 1000;
const lastYear = 8999;

const rules: readonly DateRule[] = [...dayRules, ...periodRules];
/** Words without which no rule matches: one look spares most texts the rules. */
const anyRule =
  /yesterday|today|tonight|tomorrow|\b(?:ago|last|next|this|from now|in|on|time)\b|\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const sentenceEnds = '.!?\n';

/** Makes relative dates of an English text absolute, as seen from the day on which it was said. */
export function annotateDates(text: string, date: ItemDate | undefined): DatedText {
  if (date === undefined || date.day.year < firstYear || date.day.year > lastYear) return { text, days: [] };
  const mentions = findMentions(text, date.day);
  return { text: insertTexts(text, mentions), days: differentDays(mentions) };
}

function findMentions(text: string, today: CalendarDay): Mention[] {
  if (!anyRule.test(text)) return [];
  const found = rules.flatMap((rule) => [...text.matchAll(rule.pattern)].flatMap((match) => read(rule, match, today)));
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  let end = 0;
  return found.filter((mention) => {
    const isFree = mention.start >= end;
    if (isFree) end = mention.end;
    return isFree;
  });
}

function read(rule: DateRule, match: RegExpExecArray, today: CalendarDay): Mention[] {
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

/** A phrase that comes again, and one that is explained already, gets nothing. */
function insertTexts(text: string, mentions: readonly Mention[]): string {
  const explained = new Set<string>();
  let result = '';
  let copied = 0;
  for (const { start, end, text: absolute } of mentions) {
    const key = `${text.slice(start, end).toLowerCase()} ${absolute}`;
    if (absolute === undefined || explained.has(key) || /^ ?\(/.test(text.slice(end, end + 2))) continue;
    explained.add(key);
    result += `${text.slice(copied, end)} (${absolute})`;
    copied = end;
  }
  return result + text.slice(copied);
}

function differentDays(mentions: readonly Mention[]): CalendarDay[] {
  const days: CalendarDay[] = [];
  for (const { day } of mentions) {
    if (day !== undefined && !days.some((known) => isSameDay(known, day))) days.push(day);
  }
  return days;
}
