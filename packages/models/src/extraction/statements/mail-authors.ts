import { foreignSenderOf, isMail, isMailField } from '../../dates/label-kinds.ts';
import { bareName } from '../contact-names.ts';
import { isQuotedLine } from '../fact-type.ts';
import { closingsIn, isSalutation, senderOf, writerOf } from '../others-text.ts';
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
const author =
  /^\p{L}[\p{L}\p{M}\p{N}_.'’-]{0,29}(?: (?:(?:de|del|van|von|der|den|la|el|al|bin|and) )?[\p{Lu}\p{N}&(][\p{L}\p{M}\p{N}.'’)-]{0,30}){0,5}$/u;
const pronoun = /^(?:I|[Yy]ou|[Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Ii]t|[Ww]ho)$/;
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
 * header, with a rule, with a closing and a name, and with a second salutation, which may be that of an answer.
 *
 * @param canWrite whether a name may be that of an author: neither that of the agent, whose mails have no other one, nor a place
 */
export function createMailReading(text: string, canWrite: (name: string) => boolean): MailReading {
  const changes = changesIn(text, canWrite);
  const starts = new Set(changes.map(({ start }) => start));
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
  readonly start: number;
  readonly by: string | null;
}

interface MailLine {
  readonly start: number;
  /** How often it is quoted. */
  readonly depth: number;
  readonly indent: number;
  /** Without the marks of quotations. */
  readonly body: string;
}

function* mailLinesOf(text: string): Generator<MailLine> {
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const body = (isQuotedLine(line) ? line.replace(quoteMarks, '') : line).trim();
    yield { start, depth: depthOf(line), indent: line.length - line.trimStart().length, body };
  }
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
  readonly isDated: boolean;
}

function changesIn(text: string, canWrite: (name: string) => boolean): Change[] {
  if (![headerLine, attribution, ruled].some((each) => each.test(text))) return [];
  const changes: Change[] = [];
  const isBelowClosing = createClosingReading(text);
  const headerAt = createHeaderReading(text, (written) => authorOf(written, canWrite));
  /** By how often they are quoted. */
  let authors: (string | null)[] = [];
  let header: Header | undefined;
  let wrote: Attribution | undefined;
  let hasText = false;
  let above = '';

  function beginAt(depth: number, by: string | null): void {
    authors = authors.slice(0, depth);
    authors[depth] = by;
    hasText = false;
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
      if (isQuoted || wrote.isDated) beginAt(wrote.depth + (isQuoted ? 1 : 0), wrote.by);
      else beginAt(depth, null);
    }
    wrote = undefined;
    const writer = writerBelow(above, body);
    above = body;
    header = headerAt(line);
    if (header !== undefined) return null;
    if (writer !== undefined) {
      wrote = { depth, by: authorOf(writer.name, canWrite), isDated: writer.isDated };
      return null;
    }
    const [, role = ''] = label.exec(body) ?? [];
    if (role.toLowerCase() === 'user' || !canWrite(role)) authors = [];
    const isOver = rule.test(body) || (hasText && isSalutation(body)) || isBelowClosing(start);
    authors = authors.slice(0, depth + 1);
    if (isOver) authors[depth] = null;
    hasText = !isOver;
    return authors[depth] ?? null;
  }

  for (const line of mailLinesOf(text)) {
    if (readField(line) || line.body === '') continue;
    const by = authorAt(line);
    if (by !== (changes.at(-1)?.by ?? null)) changes.push({ start: line.start, by });
  }
  return changes;
}

/** Reads where the headers of mails begin. */
function createHeaderReading(text: string, nameOf: (written: string) => string | null) {
  let count = 0;
  return ({ start, depth, indent, body }: MailLine): Header | undefined => {
    const isRule = rule.test(body);
    if (!isRule && !headerStart.test(body)) return undefined;
    if (count >= maxHeaders) return isRule ? undefined : { depth, from: null, indent, isForeign: false };
    const below = text.slice(start, start + longestHeader);
    const sender = isRule ? foreignSenderOf(below) : isMail(below) ? (senderOf(body) ?? '') : undefined;
    if (sender === undefined) return undefined;
    count += 1;
    return { depth, from: nameOf(sender), indent, isForeign: isRule };
  };
}

/** Whether the closing of a letter, and the name below it, are over; to be asked in ascending order. */
function createClosingReading(text: string): (start: number) => boolean {
  const ends = closingsIn(text).map(({ end }) => end);
  let next = 0;
  return (start) => {
    const before = next;
    while ((ends[next] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return next > before;
  };
}

/** A long line above a quotation may be wrapped. */
function writerBelow(above: string, line: string): ReturnType<typeof writerOf> {
  const isWrapped = above.startsWith('On ') && !line.startsWith('On ');
  return (isWrapped ? writerOf(`${above} ${line}`.replace('< ', '<')) : undefined) ?? writerOf(line);
}

function authorOf(written: string, canWrite: (name: string) => boolean): string | null {
  const name = bareName(written).replace(surnameFirst, '$2 $1');
  return author.test(name) && !pronoun.test(name) && canWrite(name) ? name : null;
}
