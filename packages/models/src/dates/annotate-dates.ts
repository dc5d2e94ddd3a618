import { type CalendarDay, type ItemDate, isComputable, isSameDay } from './calendar.ts';
import { type DatedPart, datedParts, type PartLabels } from './dated-lines.ts';
import { dayRules } from './day-rules.ts';
import { type DateRule, findMentions, type Meaning, type Place } from './mentions.ts';
import { numericDayRule, orderOfDates } from './numeric-day.ts';
import { periodRules } from './period-rules.ts';
import type { NumericOrder } from './stamps.ts';

type Mention = Meaning & Place;

export interface DatedText {
  /** The text, with the absolute date behind each relative one: `yesterday (7 May 2023)`. */
  readonly text: string;
  /** The days that the text names, each once. */
  readonly days: readonly CalendarDay[];
}

const rulesWith = (order: NumericOrder): readonly DateRule[] => [...dayRules, numericDayRule(order), ...periodRules];
/** Every date contains one of these, so that most texts need no further check. */
const anyRule =
  /yesterday|today|tonight|tomorrow|\b(?:ago|last|next|this|from now|in|on|time|by \w{3,6}day)\b|\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/**
 * Makes the relative dates of an English text absolute, counted from the day on which it was said, or from that of the dated
 * line above them; where that day is not certain, they stay as written. The day of such a line is named only where its part of
 * the text names no other day.
 *
 * @param labels the dated lines above and in a part of another text; see `createLabelReading`
 */
export function annotateDates(text: string, date: ItemDate | undefined, labels?: PartLabels): DatedText {
  if (date === undefined) return { text, days: [] };
  const rules = rulesWith(labels === undefined ? orderOfDates(text) : labels.order);
  const parts = datedParts(text, date, labels).map((part) => ({
    ...part,
    mentions: mentionsIn(text, part, date, rules),
  }));
  const mentions = parts.flatMap((part) => part.mentions);
  return { text: insertTexts(text, mentions), days: differentDays(parts.flatMap(daysOf)) };
}

/** @param said when the whole text was said; where the day of its part is not certain, only whole dates are read */
function mentionsIn(
  text: string,
  { bodyStart, end, date }: DatedPart,
  said: ItemDate,
  rules: readonly DateRule[],
): Mention[] {
  const body = text.slice(bodyStart, end);
  const counted = date ?? said;
  if (!isComputable(counted.day) || !anyRule.test(body)) return [];
  return findMentions(body, counted, rules)
    .filter((mention) => date !== undefined || mention.text === undefined)
    .map((mention) => ({ ...mention, start: bodyStart + mention.start, end: bodyStart + mention.end }));
}

function daysOf({
  start,
  bodyStart,
  date,
  mentions,
}: DatedPart & { readonly mentions: readonly Mention[] }): CalendarDay[] {
  const days = mentions.flatMap(({ day }) => day ?? []);
  return days.length === 0 && bodyStart > start && date !== undefined ? [date.day] : days;
}

/** A phrase that occurs again, or that has parentheses already, is left as it is. */
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

function differentDays(days: readonly CalendarDay[]): CalendarDay[] {
  return days.filter((day, index) => days.findIndex((other) => isSameDay(other, day)) === index);
}
