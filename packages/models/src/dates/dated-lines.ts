import { codeFence } from '../code-fence.ts';
import { addDays, type CalendarDay, dayNumber, type ItemDate, isSameDay, noonOf } from './calendar.ts';
import {
  type LabelKind,
  labelKinds,
  labelStart,
  lastPost,
  logLine,
  post,
  relativePostDay,
  wholePostDay,
} from './label-kinds.ts';
import { orderOfDates } from './numeric-day.ts';
import { dayOfFullDate, dayOfStamp, type NumericOrder, orderOf, orderOfStamps } from './stamps.ts';

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
  /** Its own words are counted from the day around it: `Anna — Yesterday at 9:14`. */
  readonly isRelative?: true;
}

/** The line or lines above a message that are only a name and a time, by their position. */
export interface Post {
  readonly start: number;
  readonly end: number;
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

/** With CRLF too, whose two characters `$` takes for the ends of two lines. */
const wholeLine = /(?<![^\n])[^\n]*/g;
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
 * @param posts in ascending order
 */
export function datedParts(text: string, date: ItemDate, known?: PartLabels, posts: readonly Post[] = []): DatedPart[] {
  const open = known?.open ?? [];
  const lineAt = known === undefined ? createLineReading(text, date, posts) : createLineSearch(text, known.lines);
  const starts: Omit<DatedPart, 'end' | 'date'>[] = [{ start: 0, bodyStart: 0, labels: open, line: undefined }];
  let labels = open;
  let bodyStart = 0;
  let isCode = false;
  let isBelowGap = false;
  for (const { 0: line, index } of text.matchAll(wholeLine)) {
    if (index < bodyStart) continue;
    if (codeFence.test(line)) isCode = !isCode;
    if (isCode) continue;
    const kept = index === 0 ? labels : labels.filter((label) => !isOver(label, line, isBelowGap));
    isBelowGap = line.trim() === '';
    const found = lineAt(index, kept);
    if (found === undefined && kept.length === labels.length) continue;
    labels = found === undefined ? kept : [...others(kept, found.label).slice(1 - mostLabels), found.label];
    if (found?.isRelative) {
      const end = index + found.text.length;
      starts.push({ start: index, bodyStart: index, labels: others(kept, found.label), line: found });
      // The day of the message is named by no words below; it begins behind the end of the line.
      starts.push({ start: end, bodyStart: Math.min(end + 1, text.length), labels, line: undefined });
      bodyStart = end;
      continue;
    }
    bodyStart = index + (found === undefined || found.isToCome ? 0 : found.text.length);
    starts.push({ start: index, bodyStart, labels, line: found });
  }
  return starts.map((part, index) => ({
    ...part,
    end: starts[index + 1]?.start ?? text.length,
    date: dateBelow(part.labels, date),
  }));
}

/**
 * The labels of parts of a text, asked for in ascending order.
 * @param posts in ascending order
 */
export function createLabelReading(
  text: string,
  date: ItemDate,
  posts: readonly Post[] = [],
): (start: number, end: number) => PartLabels {
  const parts = datedParts(text, date, undefined, posts);
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

function isOver({ until, kind: { goesOn } }: DateLabel, line: string, isBelowGap: boolean): boolean {
  return until.test(line) || (isBelowGap && goesOn !== undefined && line.trim() !== '' && !goesOn.test(line));
}

/** Those that go on where a label begins. */
function others(labels: readonly DateLabel[], { kind, lead }: Pick<DateLabel, 'kind' | 'lead'>): readonly DateLabel[] {
  if (kind.isPost) return labels.filter((label) => !label.kind.isPost);
  return kind.isReplaced ? labels.filter((label) => label.kind !== kind || label.lead !== lead) : labels;
}

function dateBelow(labels: readonly DateLabel[], said: ItemDate): ItemDate | undefined {
  const label = labels.at(-1);
  return label === undefined ? said : label.date;
}

type LineAt = (index: number, labels: readonly DateLabel[]) => DatedLine | undefined;

/** Finds the dated lines of a text by their forms. */
function createLineReading(text: string, said: ItemDate, posts: readonly Post[]): LineAt {
  const order = orderOfStamps(text) ?? orderOfPosts(text, posts);
  const postAt = createPostReading(text, said, posts, order);
  let isInLog: boolean | undefined;
  const isPossible = (kind: LabelKind, index: number, labels: readonly DateLabel[]) => {
    if (kind.where !== 'log')
      return kind.where === undefined || index === 0 || labels.some((label) => label.kind === kind);
    isInLog ??= isLog(text, said.day);
    return isInLog;
  };
  return (index, labels) => {
    const header = postAt(index, labels);
    if (header !== undefined) return header;
    const start = text.slice(index, index + longestLabel);
    if (index > 0 && !labelStart.test(start)) return undefined;
    for (const kind of labelKinds) {
      const match = isPossible(kind, index, labels) ? kind.pattern.exec(start) : null;
      const day = match && (kind.isIn?.(start) ?? true) ? readDay(match.groups, order, said.day) : undefined;
      if (match === null || day === undefined) continue;
      const lead = match.groups?.lead ?? '';
      const label = labelOf(kind, lead);
      if (day === 'unknown' || day.year < firstYear) return { text: match[0], label: { ...label, date: undefined } };
      if (!isToCome(day, said.day)) return { text: match[0], label: { ...label, date: at(day, said) } };
      return { text: match[0], label: { ...label, date: dateBelow(others(labels, label), said) }, isToCome: true };
    }
    return undefined;
  };
}

/**
 * What is below the name of somebody and a time was said then. Where the time has no day, or one that is not certain, it was
 * said on that of the label around all of them.
 */
function createPostReading(text: string, said: ItemDate, posts: readonly Post[], order: NumericOrder): LineAt {
  const byStart = new Map(posts.map((each, index) => [each.start, { ...each, isLast: index === posts.length - 1 }]));
  return (index, labels) => {
    const found = byStart.get(index);
    if (found === undefined) return undefined;
    const kind = found.isLast ? lastPost : post;
    const label = labelOf(kind, '');
    const header = text.slice(found.start, found.end);
    const relative = relativePostDay.exec(header)?.groups?.relative?.toLowerCase();
    if (relative !== undefined) {
      const date = at(addDays(said.day, relative === 'today' ? 0 : -1), said);
      return { text: header, label: { ...label, date }, isRelative: true };
    }
    const day = readDay(wholePostDay.exec(header)?.groups ?? {}, order, said.day);
    if (day !== undefined && day !== 'unknown' && day.year >= firstYear && !isToCome(day, said.day))
      return { text: header, label: { ...label, date: at(day, said) } };
    if (!labels.some(({ kind: { isPost } }) => isPost)) return undefined;
    return { text: header, label: { ...label, date: dateBelow(others(labels, label), said) }, isToCome: true };
  };
}

function labelOf(kind: LabelKind, lead: string): Omit<DateLabel, 'date'> {
  return { kind, lead, until: new RegExp(kind.until(lead)) };
}

function orderOfPosts(text: string, posts: readonly Post[]): NumericOrder {
  const dates = posts.map(({ start, end }) => wholePostDay.exec(text.slice(start, end))?.groups);
  return orderOf(dates.map((groups) => [groups?.first, groups?.second]));
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
