import { codeFence } from '../code-fence.ts';
import { addDays, type CalendarDay, type ItemDate, isBefore, isSameDay, noonOf } from './calendar.ts';
import { month, monthDay, weekday } from './date-words.ts';
import { dayByChrono } from './one-day.ts';

/** A date from which those below it are counted. */
export interface DateLabel {
  readonly date: ItemDate;
  /** The line with which it ends. */
  readonly until: RegExp;
}

/** A part of a text that was said on one day. */
export interface DatedPart {
  readonly start: number;
  /** Behind the date that it begins with; `start` if it does not. */
  readonly bodyStart: number;
  readonly end: number;
  readonly date: ItemDate;
  /** Those that hold there; the last one counts. */
  readonly labels: readonly DateLabel[];
}

/** In characters. */
const longestLabel = 300;
/** Dates of more days ago are rather those of a history. */
const longestAgo = 366;
const nth = '(?:st|nd|rd|th)?';
const fullDate = String.raw`(?:(?:${weekday}|(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?),? )?(?<date>[12]\d{3}-\d{2}-\d{2}|${monthDay}${nth} ${month},? [12]\d{3}|${month} ${monthDay}${nth},? [12]\d{3})(?!\d)`;
const roleLine = '[*_]{0,2}(?:[Uu]ser|[Aa]ssistant)[*_]{0,2}:';

/** Other dates at the starts of lines are more often what the line is about: plans, answers, entries of a history. */
const labelKinds: readonly { readonly pattern: RegExp; readonly until: (lead: string) => string }[] = [
  {
    pattern: new RegExp(
      String.raw`^(?<lead>\[)${fullDate}(?:(?:T|,? (?:at )?)\d{1,2}:\d{2}[^\]\n]{0,20})?\](?= [^\s:][^:\n]{0,40}: )`,
    ),
    until: () => String.raw`^(?:\s*$|\[\d|${roleLine})`,
  },
  {
    pattern: new RegExp(String.raw`^(?<lead>#{1,6}) [*_]{0,2}${fullDate}[*_]{0,2}[ \t]*(?![^\n])`),
    until: (lead) => String.raw`^(?:#{1,${lead.length}} |(?:-{3,}|\*{3,})\s*$|${roleLine})`,
  },
  {
    pattern: new RegExp(
      String.raw`^(?<lead>[> \t]*)On ${fullDate}[^\n]{0,150}?(?:\n[^\n]{0,80}?)??\bwrote:(?=\s*\n[> \t]*>)`,
    ),
    until: (lead) => String.raw`^(?!(?:[ \t]*>){${lead.split('>').length}})[^\n]*[^\s>]`,
  },
];

/**
 * The parts of a text by the dates when they were said: "[2024-01-03 10:42] Anna: ..." up to an empty line or the next such
 * time, "# 2024-01-03" up to the next heading or rule, and "On May 6, 2024, Ana wrote:" for the quoted lines below.
 *
 * @param date when the text was said
 * @param open the labels that hold in its first line
 */
export function datedParts(text: string, date: ItemDate, open: readonly DateLabel[] = []): DatedPart[] {
  const starts = [{ start: 0, bodyStart: 0, labels: open }];
  let labels = open;
  let bodyStart = 0;
  let isCode = false;
  for (const { 0: line, index } of text.matchAll(/^.*$/gm)) {
    if (index < bodyStart) continue;
    if (codeFence.test(line)) isCode = !isCode;
    if (isCode) continue;
    const found = labelOf(text.slice(index, index + longestLabel), date);
    const kept = index === 0 ? labels : labels.filter(({ until }) => !until.test(line));
    if (found === undefined && kept.length === labels.length) continue;
    labels = found === undefined ? kept : found.label === undefined ? [] : [...kept, found.label];
    bodyStart = index + (found?.label === undefined ? 0 : found.length);
    starts.push({ start: index, bodyStart, labels });
  }
  return starts.map((part, index) => ({
    ...part,
    end: starts[index + 1]?.start ?? text.length,
    date: part.labels.at(-1)?.date ?? date,
  }));
}

/** The labels that hold at each position of a text, asked for in ascending order. */
export function createLabelReading(text: string, date: ItemDate): (position: number) => readonly DateLabel[] {
  const parts = datedParts(text, date);
  let index = 0;
  return (position) => {
    while (index < parts.length - 1 && position >= (parts[index]?.end ?? 0)) index += 1;
    return parts[index]?.labels ?? [];
  };
}

/** Without a label, the day is still to come: nothing was said on it. The next day may have begun elsewhere. */
function labelOf(text: string, said: ItemDate): { readonly label?: DateLabel; readonly length: number } | undefined {
  for (const { pattern, until } of labelKinds) {
    const { 0: { length } = '', groups } = pattern.exec(text) ?? {};
    const day = groups?.date && dayByChrono(groups.date, said.day);
    if (!day) continue;
    if (isBefore(addDays(said.day, 1), day)) return { length };
    if (isBefore(day, addDays(said.day, -longestAgo))) return undefined;
    return { label: { date: at(day, said), until: new RegExp(until(groups.lead ?? '')) }, length };
  }
  return undefined;
}

function at(day: CalendarDay, said: ItemDate): ItemDate {
  return isSameDay(day, said.day) ? said : { ...said, iso: noonOf(day, said.offsetMinutes), day };
}
