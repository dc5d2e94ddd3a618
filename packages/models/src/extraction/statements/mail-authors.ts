import { codeFence } from '../../code-fence.ts';
import { beginsWithDate, foreignSenderOf, isMail, isMailField } from '../../dates/label-kinds.ts';
import { commonWords, stopWords } from '../../text/word-lists.ts';
import { bareName } from '../contact-names.ts';
import { isQuotedLine } from '../fact-type.ts';
import { closingsIn, isSalutation, senderOf, type Writer, writerOf } from '../others-text.ts';
import { linesOf } from '../sentences.ts';
import { depthOf } from './blocks.ts';

/** Who writes the lines of the mails of a text. */
export interface MailReading {
  /**
   * What changes at a line: its author, null when that is not known. To be asked in ascending order; of lines that were left
   * out, the last change counts.
   */
  changeAt(start: number): string | null | undefined;
  /** Whether somebody else writes from this line on. */
  isChange(start: number): boolean;
}

/** Headers of mails; who wrote what is below further ones is not known. */
const maxHeaders = 50;
const longestHeader = 2_000;
const headerStart = /^[*_]{0,2}(?:From|To|Subject|Date|Sent)\b/;
const rule = /^(?:[-_*]{3,}|--|-{2,} ?[^\n-]{1,60} ?-{2,})$/;
/** Of a note around a mail, which those who write mails rarely use. */
const heading = /^(?:#{1,6} |={3,}$)/;
const author =
  /^\p{L}[\p{L}\p{M}\p{N}_.'’-]{0,29}(?: (?:(?:de|del|van|von|der|den|la|el|al|bin|and) )?[\p{Lu}\p{N}&(][\p{L}\p{M}\p{N}.'’)-]{0,30}){0,5}$/u;
const pronoun = /^(?:I|[Mm]e|[Mm]yself|[Yy]ou|[Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Ii]t|[Ww]ho)$/;
const surnameFirst = /^([^,]{2,30}), ([^,]{2,30})$/;

const ruled = /^[-_=]{2,}/m;
const anyField = /^[*_]{0,2}\p{Lu}[\p{L}-]{0,15}[*_]{0,2} ?:/u;
const headerLine = /^[> \t*]{0,20}(?:From|To|Subject|Date|Sent)[ \t*]{0,4}:/m;
const attribution = /\b(?:wrote|schrieb\b[^\n]{1,120}):[ \t\r]*$/m;
/** "Assistant: ...", as in a conversation around a mail. */
const label = /^[*_]{0,2}([^:：*_]{1,40})[*_]{0,2}[ ]?[:：]/;
const quoteMarks = /^[ \t]{0,20}(?:>[ \t]{0,4}){1,20}/;

/**
 * What is below the header of a mail is by its sender, and what is quoted below "Anna wrote:" by Anna. It ends with the next
 * header, with a rule or a heading, with a closing and a name or a name alone, with a second salutation, which may be that of
 * an answer, and with the next date of a diary.
 *
 * @param canWrite whether a name may be that of an author: neither that of the agent, whose mails have no other one, nor a place
 */
export function createMailReading(text: string, canWrite: (name: string) => boolean): MailReading {
  const changes = changesIn(text, canWrite);
  const starts = new Set(changes.map(({ line }) => line));
  let next = 0;
  return {
    changeAt: (start) => {
      let found: string | null | undefined;
      for (; (changes[next]?.start ?? Number.POSITIVE_INFINITY) <= start; next += 1) found = changes[next]?.by;
      return found;
    },
    isChange: (start) => starts.has(start),
  };
}

interface Change {
  /** Of the empty lines below a passage by somebody, which are quoted with those that follow. */
  readonly start: number;
  readonly line: number;
  readonly by: string | null;
}

interface MailLine {
  readonly start: number;
  /** How often it is quoted. */
  readonly depth: number;
  readonly indent: number;
  /** Without the marks of quotations. */
  readonly body: string;
  /** The example of a mail in code is none. */
  readonly isCode: boolean;
}

function mailLinesOf(text: string): MailLine[] {
  let isCode = false;
  return Array.from(linesOf(text), ({ start, end }) => {
    const line = text.slice(start, end);
    const body = (isQuotedLine(line) ? line.replace(quoteMarks, '') : line).trim();
    if (codeFence.test(body)) isCode = !isCode;
    return { start, depth: depthOf(line), indent: line.length - line.trimStart().length, body, isCode };
  });
}

interface Header {
  readonly depth: number;
  from: string | null;
  /** Of its last field, which goes on in lines that are indented further. */
  indent: number;
  /** Its fields are in a language that is not known. */
  readonly isForeign: boolean;
}

/** A line such as "On 13.11.2026 Anna wrote:". */
interface Attribution {
  readonly depth: number;
  readonly by: string | null;
  readonly isByProgram: boolean;
}

function changesIn(text: string, canWrite: (name: string) => boolean): Change[] {
  if (![headerLine, attribution, ruled].some((each) => each.test(text))) return [];
  const changes: Change[] = [];
  const lines = mailLinesOf(text);
  const isBelowClosing = createClosingReading(lines);
  const headerAt = createHeaderReading(text, (written) => authorOf(written, canWrite));
  /** By how often they are quoted. */
  let authors: (string | null)[] = [];
  let header: Header | undefined;
  let wrote: Attribution | undefined;
  let hasText = false;
  let above = '';
  let isDiary = false;
  let isSigned = false;
  let gap: number | undefined;

  function beginAt(depth: number, by: string | null): void {
    authors = authors.slice(0, depth);
    authors[depth] = by;
    hasText = false;
    isSigned = false;
  }

  function readField({ body, indent }: MailLine): boolean {
    if (header === undefined) return false;
    const isField = header.isForeign ? anyField.test(body) : isMailField(body);
    if (isField) header.indent = indent;
    if (body !== '' && (isField || indent > header.indent)) header.from ??= authorOf(senderOf(body) ?? '', canWrite);
    else {
      beginAt(header.depth, header.from);
      header = undefined;
    }
    return header !== undefined;
  }

  function authorAt(line: MailLine): string | null {
    const { start, depth, body } = line;
    if (wrote !== undefined) {
      const isQuoted = depth > wrote.depth;
      if (isQuoted || wrote.isByProgram) beginAt(wrote.depth + (isQuoted ? 1 : 0), wrote.by);
      else beginAt(depth, null);
    }
    wrote = undefined;
    const writer = writerBelow(above, body);
    above = body;
    if (line.isCode) return authors[depth] ?? null;
    header = headerAt(line);
    if (header !== undefined) return null;
    if (writer !== undefined) {
      wrote = { depth, by: writerIn(writer, canWrite), isByProgram: writer.isByProgram };
      return null;
    }
    const [, role = ''] = label.exec(body) ?? [];
    if (role.toLowerCase() === 'user' || !canWrite(role)) authors = [];
    const isEntry = beginsWithDate(body);
    const isOver =
      [rule, heading].some((each) => each.test(body)) ||
      (hasText && isSalutation(body)) ||
      (isDiary && isEntry) ||
      (isSigned && gap !== undefined) ||
      isBelowClosing(start);
    authors = authors.slice(0, depth + 1);
    if (isOver) authors[depth] = null;
    hasText = !isOver;
    isDiary ||= isEntry && authors.every((each) => each === null);
    const by = authors[depth] ?? null;
    isSigned = by !== null && (isSigned || isSignature(body, by));
    return by;
  }

  for (const line of lines) {
    if (readField(line)) continue;
    const by = line.body === '' ? undefined : authorAt(line);
    const before = changes.at(-1)?.by ?? null;
    if (by !== undefined && by !== before)
      changes.push({ start: (before === null ? undefined : gap) ?? line.start, line: line.start, by });
    gap = line.body === '' ? (gap ?? line.start) : undefined;
  }
  return changes;
}

/** Reads where the headers of mails begin. */
function createHeaderReading(text: string, nameOf: (written: string) => string | null) {
  let count = 0;
  /** Two fields may be a ticket, but below a mail they are those of another one. */
  const isHeader = (below: string) =>
    isMail(below) || (count > 0 && isMailField(lineAt(below, 0)) && isMailField(lineAt(below, 1)));
  return ({ start, depth, indent, body }: MailLine): Header | undefined => {
    const isRule = rule.test(body);
    if (!isRule && !headerStart.test(body)) return undefined;
    if (count >= maxHeaders) return isRule ? undefined : { depth, from: null, indent, isForeign: false };
    const below = text.slice(start, start + longestHeader);
    const sender = isRule ? foreignSenderOf(below) : isHeader(below) ? (senderOf(body) ?? '') : undefined;
    if (sender === undefined) return undefined;
    count += 1;
    return { depth, from: nameOf(sender), indent, isForeign: isRule };
  };
}

function lineAt(text: string, index: number): string {
  const line = text.split('\n', index + 1)[index] ?? '';
  return line.replace(quoteMarks, '').trim();
}

/** Whether the closing of a letter, and the name below it, are over; to be asked in ascending order. */
function createClosingReading(lines: readonly MailLine[]): (start: number) => boolean {
  const ends = closingEnds(lines);
  let next = 0;
  return (start) => {
    const before = next;
    while ((ends[next] ?? Number.POSITIVE_INFINITY) < start) next += 1;
    return next > before;
  };
}

/** Where the last lines of closings begin, which may be indented or quoted. */
function closingEnds(lines: readonly MailLine[]): number[] {
  const ends = closingsIn(lines.map(({ body }) => body).join('\n')).map(({ end }) => end);
  const found: number[] = [];
  let end = -1;
  for (const { start, body } of lines) {
    end += body.length + 1;
    for (; (ends[found.length] ?? Number.POSITIVE_INFINITY) <= end; ) found.push(start);
  }
  return found;
}

/** "Peter", below a mail of Peter Hahn. */
function isSignature(line: string, by: string): boolean {
  return line === by || line === by.split(' ', 1)[0];
}

/** A long line above a quotation may be wrapped. */
function writerBelow(above: string, line: string): Writer | undefined {
  const isWrapped = above.startsWith('On ') && !line.startsWith('On ');
  return (isWrapped ? writerOf(`${above} ${line}`.replace('< ', '<')) : undefined) ?? writerOf(line);
}

/** Where no program wrote the line, the name may be any words of a sentence: "As Goethe wrote:" */
function writerIn({ name, isByProgram }: Writer, canWrite: (name: string) => boolean): string | null {
  const words = name.toLowerCase().split(' ');
  const isSentence = [words[0] ?? '', words.at(-1) ?? ''].some((word) => stopWords.has(word) || commonWords.has(word));
  return !isByProgram && isSentence ? null : authorOf(name, canWrite);
}

function authorOf(written: string, canWrite: (name: string) => boolean): string | null {
  const name = bareName(written).replace(surnameFirst, '$2 $1');
  return author.test(name) && !pronoun.test(name.split(' ').at(-1) ?? '') && canWrite(name) ? name : null;
}
