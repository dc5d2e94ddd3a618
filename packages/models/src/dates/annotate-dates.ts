import { type CalendarDay, type ItemDate, isComputable, isSameDay } from './calendar.ts';
import { dayRules } from './day-rules.ts';
import { type DateRule, findMentions, type Meaning, type Place } from './mentions.ts';
import { periodRules } from './period-rules.ts';

type Mention = Meaning & Place;

export interface DatedText {
  /** The text, with the absolute date behind each relative one: `yesterday (7 May 2023)`. */
  readonly text: string;
  /** The days that the text names, each once. */
  readonly days: readonly CalendarDay[];
}

const rules: readonly DateRule[] = [...dayRules, ...periodRules];
/** Every date contains one of these, so that most texts need no further check. */
const anyRule =
  /yesterday|today|tonight|tomorrow|\b(?:ago|last|next|this|from now|in|on|time)\b|\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/** Makes the relative dates of an English text absolute, counted from the day on which it was said. */
export function annotateDates(text: string, date: ItemDate | undefined): DatedText {
  if (date === undefined || !isComputable(date.day)) return { text, days: [] };
  const mentions = anyRule.test(text) ? findMentions(text, date, rules) : [];
  return { text: insertTexts(text, mentions), days: differentDays(mentions) };
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

function differentDays(mentions: readonly Mention[]): CalendarDay[] {
  const days: CalendarDay[] = [];
  for (const { day } of mentions) {
    if (day !== undefined && !days.some((known) => isSameDay(known, day))) days.push(day);
  }
  return days;
}
