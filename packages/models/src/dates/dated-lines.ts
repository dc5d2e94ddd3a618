import { codeFence } from '../code-fence.ts';
import { type CalendarDay, dayNumber, type ItemDate, isSameDay, noonOf } from './calendar.ts';
import { type LabelKind, labelKinds, labelStart, logLine } from './label-kinds.ts';
import { orderOfDates } from './numeric-day.ts';
import { dayOfFullDate, dayOfStamp, type NumericOrder, orderOfStamps } from './stamps.ts';

/** A date from which those below it are counted. */
export interface DateLabel {
  /** Undefined where it can be one of two days. */
  readonly date: ItemDate | undefined;
  /** The line with which it ends. */
  readonly until: RegExp;
  readonly kind: LabelKind;
  readonly lead: string;
}

/** A dated line, and the label that begins there. */
interface DatedLine {
  /** From the start of the line up to the end of its date. */
  readonly text: string;
  readonly label: DateLabel;
  /** Nothing was said on its day, which is still to come; what follows was said on that of the label around it. */
  readonly isToCome?: true;
}

/** The labels of a part of a text, which may be written differently there. */
export interface PartLabels {
  /** Those that hold at its start. */
  readonly open: readonly DateLabel[];
  /** The dated lines in it, in order. */
  readonly lines: readonly DatedLine[];
  /** That of the numeric dates of the whole text. */
  readonly order: NumericOrder;
}

/** A part of a text that was said on one day. */
export interface DatedPart {
  readonly start: number;
  /** Behind the date that it begins with; `start` if it does not. */
  readonly bodyStart: number;
  readonly end: number;
  /** Undefined where that is not certain. */
  readonly date: ItemDate | undefined;
  /** Those that hold there; the last one counts. */
  readonly labels: readonly DateLabel[];
  readonly line: DatedLine | undefined;
}

/** In characters. */
const longestLabel = 2_000;
/** What is dated earlier is rather a history than a record of its day, so that its days are not certain. */
const firstYear = 1970;
/** Labels within each other; of more, the outer ones are forgotten. */
const mostLabels = 16;

/**
 * The parts of a text by the dates when they were said: "[2024-01-03 10:42] Anna: ..." up to an empty line or the next such
 * time, "# 2024-01-03" up to the next heading or rule, "On May 6, 2024, Ana wrote:" for the quoted lines below, and so on.
 *
 * @param date when the text was said
 * @param known its labels, if it is a part of a text that was read before
 */
export function datedParts(text: string, date: ItemDate, known?: PartLabels): DatedPart[] {
  const open = known?.open ?? [];
  const lineAt = known === undefined ? createLineReading(text, date) : createLineSearch(text, known.lines);
  const starts: Omit<DatedPart, 'end' | 'date'>[] = [{ start: 0, bodyStart: 0, labels: open, line: undefined }];
  let labels = open;
  let bodyStart = 0;
  let isCode = false;
  for (const { 0: line, index } of text.matchAll(/^.*$/gm)) {
    if (index < bodyStart) continue;
    if (codeFence.test(line)) isCode = !isCode;
    if (isCode) continue;
    const kept = index === 0 || labels.length === 0 ? labels : labels.filter(({ until }) => !until.test(line));
    const found = lineAt(index, kept);
    if (found === undefined && kept.length === labels.length) continue;
    labels = found === undefined ? kept : [...others(kept, found.label).slice(1 - mostLabels), found.label];
    bodyStart = index + (found === undefined || found.isToCome ? 0 : found.text.length);
    starts.push({ start: index, bodyStart, labels, line: found });
  }
  return starts.map((part, index) => ({
    ...part,
    end: starts[index + 1]?.start ?? text.length,
    date: dateBelow(part.labels, date),
  }));
}

/** The labels of parts of a text, asked for in ascending order. */
export function createLabelReading(text: string, date: ItemDate): (start: number, end: number) => PartLabels {
  const parts = datedParts(text, date);
  const order = orderOfDates(text);
  let index = 0;
  return (start, end) => {
    while (index < parts.length - 1 && start >= (parts[index]?.end ?? 0)) index += 1;
    const lines: DatedLine[] = [];
    for (let next = index; (parts[next]?.start ?? end) < end; next += 1) {
      const part = parts[next];
      if (part?.line !== undefined && part.start >= start) lines.push(part.line);
    }
    return { open: parts[index]?.labels ?? [], lines, order };
  };
}

/** Those that go on where a label begins. */
function others(labels: readonly DateLabel[], { kind, lead }: Pick<DateLabel, 'kind' | 'lead'>): readonly DateLabel[] {
  return kind.isReplaced ? labels.filter((label) => label.kind !== kind || label.lead !== lead) : labels;
}

function dateBelow(labels: readonly DateLabel[], said: ItemDate): ItemDate | undefined {
  const label = labels.at(-1);
  return label === undefined ? said : label.date;
}

type LineAt = (index: number, labels: readonly DateLabel[]) => DatedLine | undefined;

/** Finds the dated lines of a text by their forms. */
function createLineReading(text: string, said: ItemDate): LineAt {
  const order = orderOfStamps(text);
  let isInLog: boolean | undefined;
  const isPossible = (kind: LabelKind, index: number, labels: readonly DateLabel[]) => {
    if (kind.where !== 'log')
      return kind.where === undefined || index === 0 || labels.some((label) => label.kind === kind);
    isInLog ??= isLog(text, said.day);
    return isInLog;
  };
  return (index, labels) => {
    const start = text.slice(index, index + longestLabel);
    if (index > 0 && !labelStart.test(start)) return undefined;
    for (const kind of labelKinds) {
      const match = isPossible(kind, index, labels) ? kind.pattern.exec(start) : null;
      const day = match && (kind.isIn?.(start) ?? true) ? readDay(match.groups, order, said.day) : undefined;
      if (match === null || day === undefined) continue;
      const lead = match.groups?.lead ?? '';
      const label = { kind, lead, until: new RegExp(kind.until(lead)) };
      if (day === 'unknown' || day.year < firstYear) return { text: match[0], label: { ...label, date: undefined } };
      if (!isToCome(day, said.day)) return { text: match[0], label: { ...label, date: at(day, said) } };
      return { text: match[0], label: { ...label, date: dateBelow(others(labels, label), said) }, isToCome: true };
    }
    return undefined;
  };
}

/** Finds dated lines that are known from another text. */
function createLineSearch(text: string, lines: readonly DatedLine[]): LineAt {
  let next = 0;
  return (index) => {
    const found = lines.findIndex((line, position) => position >= next && text.startsWith(line.text, index));
    if (found >= 0) next = found + 1;
    return lines[found];
  };
}

function readDay(groups: Groups, order: NumericOrder, said: CalendarDay): CalendarDay | 'unknown' | undefined {
  if (groups?.date !== undefined) return dayOfFullDate(groups.date);
  return groups?.first === undefined ? 'unknown' : dayOfStamp(groups, order, said);
}

type Groups = RegExpExecArray['groups'];

/** Whether all lines of a text, but headings and lines that go on, begin with dates in order: a log or a diary. */
function isLog(text: string, said: CalendarDay): boolean {
  const numbers: number[] = [];
  for (const [line] of text.matchAll(/^[^\s#].*$/gm)) {
    const written = logLine.exec(line)?.groups?.date;
    const day = written && dayOfFullDate(written);
    if (!day || isToCome(day, said)) return false;
    numbers.push(dayNumber(day));
  }
  const steps = numbers.slice(1).map((each, index) => each - (numbers[index] ?? 0));
  return steps.length > 0 && (steps.every((step) => step >= 0) || steps.every((step) => step <= 0));
}

/** The next day may have begun elsewhere. */
function isToCome(day: CalendarDay, said: CalendarDay): boolean {
  return dayNumber(day) > dayNumber(said) + 1;
}

function at(day: CalendarDay, said: ItemDate): ItemDate {
  return isSameDay(day, said.day) ? said : { ...said, iso: noonOf(day, said.offsetMinutes), day };
}
