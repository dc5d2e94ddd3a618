import { bareName, isContactName, personsIn } from '../contact-names.ts';
import type { LexiconEntry } from '../lexicon.ts';
import { linesOf } from '../sentences.ts';
import { type Speaker, speakerOfHeader } from '../speaker.ts';

const clock = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[AaPp]\.?[Mm]\b\.?)?`;
const day = String.raw`(?:[Tt]oday|[Yy]esterday|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?|\d{1,2}\.? [A-Z][a-z]{2,8}\.?(?: \d{4})?|[A-Z][a-z]{2,8}\.? \d{1,2}(?:, \d{4})?)`;
const time = `(?:${day}(?:,| at|, at)? )?${clock}`;
const who = String.raw`(\S[^\n:—\[\t]{0,58}?(?: \[[A-Z]{2,9}\])?)`;
const end = String.raw`:?\s*$`;
/** `Anna Berg  9:14 AM`, `Anna Berg — Today at 9:14`, `Anna Berg, [13.11.26 09:14]`, `[9:14 AM] Anna Berg` */
const clear = new RegExp(
  [
    String.raw`^${who}(?:  |\t) *${time}${end}`,
    `^${who} ?— ${time}${end}`,
    String.raw`^${who},? ?\[${time}\]${end}`,
    String.raw`^\s*\[${time}\] ([^\n:]{2,40})${end}`,
  ].join('|'),
);
/** May be a row of a schedule as well. */
const unclear = new RegExp(`^${who},? ${time}${end}`);
const longestHeader = 90;
const emptyLine = /\n[ \t\r]*\n[ \t]*$/;
const longestGap = 50;
const name =
  /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’._-]{0,29}(?: (?:\p{Lu}|\d|(?:de|van|von|der|la)\b)[\p{L}\p{M}\p{N}'’.-]{0,29}){0,3}|[a-z][a-z0-9_.-]{1,29})$/u;

interface Candidate {
  readonly line: string;
  readonly speaker: Speaker;
  readonly isClear: boolean;
}

/** The lines of an item that are only a speaker, while the item is read. */
export interface HeaderReading {
  has(line: string): boolean;
  /** Who speaks below a line; undefined for any other line. */
  read(line: string): Speaker | undefined;
  /** Whether the last message is over before a line, which is asked in order: it ends with an empty line, as notes may follow. */
  isOver(line: string): boolean;
}

/**
 * The lines of a text that are only a name and a time, each directly above what was said then, as in Slack, Discord, Teams,
 * Telegram and Otter. A schedule looks alike: so at least half of them need the known name of a person, or one that stands
 * in several lines of a text with several names. A place is none.
 */
export function createHeaderReading(text: string, lookUp: (name: string) => LexiconEntry | undefined): HeaderReading {
  const headers = headersOf(text, lookUp);
  const left = new Set(headers.keys());
  let position = 0;
  return {
    has: (line) => headers.has(line.trim()),
    read: (line) => {
      left.delete(line.trim());
      return headers.get(line.trim());
    },
    isOver: (line) => {
      const start = headers.size === 0 ? -1 : text.indexOf(line, position);
      if (start < 0) return false;
      position = start + line.length;
      return left.size === 0 && emptyLine.test(text.slice(Math.max(0, start - longestGap), start));
    },
  };
}

function headersOf(text: string, lookUp: (name: string) => LexiconEntry | undefined): ReadonlyMap<string, Speaker> {
  const found = candidatesIn(text);
  const count = new Map<string, number>();
  for (const { speaker } of found) count.set(speaker.name, (count.get(speaker.name) ?? 0) + 1);
  const typeOf = ({ speaker }: Candidate) => lookUp(personsIn(speaker.name)[0] ?? '')?.type;
  const recurs = ({ speaker, isClear }: Candidate) => isClear && count.size > 1 && (count.get(speaker.name) ?? 0) > 1;
  const people = found.filter((each) => typeOf(each) !== 'PLACE');
  const known = people.filter((each) => typeOf(each) === 'PERSON' || recurs(each));
  if (known.length === 0 || known.length * 2 < found.length) return new Map();
  return new Map(people.map(({ line, speaker }) => [line, speaker]));
}

/** Those directly above a line of another form. */
function candidatesIn(text: string): Candidate[] {
  const found: Candidate[] = [];
  let above: Candidate | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end).trim();
    const here = candidateOf(line);
    if (above !== undefined && line !== '' && here === undefined) found.push(above);
    above = here;
  }
  return found;
}

function candidateOf(line: string): Candidate | undefined {
  if (line.length > longestHeader || !/\d[:.]\d{2}/.test(line)) return undefined;
  const match = clear.exec(line);
  const written = (match ?? unclear.exec(line))?.slice(1).find((group) => group !== undefined);
  const bare = bareName(written ?? '').replace(/ (?:APP|BOT)$/, '');
  if (!name.test(bare) && !isContactName(bare)) return undefined;
  const speaker = speakerOfHeader(bare, line);
  return speaker && { line, speaker, isClear: match !== null };
}
