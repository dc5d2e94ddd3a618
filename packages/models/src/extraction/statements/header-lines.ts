import { clock, exactClock, time } from '../../dates/stamps.ts';
import { bareName, isContactName } from '../contact-names.ts';
import { linesOf } from '../sentences.ts';
import { type Speaker, speakerOfHeader } from '../speaker.ts';

const day = String.raw`(?:[Tt]oday|[Yy]esterday|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?|\d{1,2}\.? [A-Z][a-z]{2,8}\.?(?: \d{4})?|[A-Z][a-z]{2,8}\.? \d{1,2}(?:, \d{4})?)`;
const onDay = `${day}(?:,| at|, at)? `;
const moment = `(?:${onDay}${time}|${clock})`;
const exactMoment = `(?:${onDay})?${exactClock}`;
/** Since the start of a recording. */
const elapsed = String.raw`\d{1,2}:[0-5]\d`;
const who = String.raw`(\S[^\n:—\[\t]{0,58}?(?: \[[A-Z]{2,9}\])?)`;
const end = String.raw`:?\s*$`;
/** `Anna Berg  9:14 AM`, `Anna Berg — Today at 9:14`, `Anna Berg, [13.11.26 09:14]`, `[9:14 AM] Anna Berg` */
const clear = new RegExp(
  [
    String.raw`^${who}(?:  |\t) *(?:${moment}|${elapsed})${end}`,
    `^${who} ?— (?:${onDay}${time}|${exactClock})${end}`,
    `^${who} ?– (?:(?:[Tt]oday|[Yy]esterday)(?:,| at|, at)? ${time}|${exactMoment})${end}`,
    String.raw`^${who},? ?\[${moment}\]${end}`,
    String.raw`^\s*\[${moment}\] ([^\n:]{2,40})${end}`,
  ].join('|'),
);
/** May be the row of a schedule as well: `Anna Berg 9:14 AM`, `Anna Berg | 9:14 AM`, `Anna Berg (9:14:00)`, `Anna 9:14` */
const unclear = new RegExp(String.raw`^${who}(?:,? | [|•] | ?[—–] )(?:${moment}|\(${moment}\))${end}`);
const fullDay = String.raw`(?:[Tt]oday|[Yy]esterday|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.? [A-Z][a-z]{2,8}\.? \d{4}|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4})`;
/** As programs write rather than persons, who note `Anna – 14.11.2026 9:14` and `Anna, Sunday 15:00`. */
const exact = new RegExp(String.raw`^[^–]*(?:${exactClock}|${fullDay}(?:,| at|, at)? \d{2}:\d{2})\)?${end}`);
const precise = new RegExp(String.raw`${onDay}${time}|\d ?[AaPp]\.?[Mm]\b`);
const longestHeader = 90;
const name =
  /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’._-]{0,29}(?: (?:\p{Lu}|\d|(?:de|van|von|der|la)\b)[\p{L}\p{M}\p{N}'’.-]{0,29}){0,3}|[a-z][a-z0-9_.-]{1,29})$/u;

/** A line that is only a name and a time. */
export interface Candidate {
  readonly start: number;
  readonly speaker: Speaker;
  /** It is written as posts are rather than as the rows of a schedule. */
  readonly isClear: boolean;
  /** With a day, or with AM or PM. */
  readonly isPrecise: boolean;
  /** Without a full date, AM, PM or seconds, it does not tell who speaks below, only that somebody may. */
  readonly isLoose: boolean;
  /** It is directly above a line of another form. */
  readonly hasText: boolean;
  /** It is directly above another one. */
  readonly isRow: boolean;
  /** It is directly above or below another one. */
  readonly isInRows: boolean;
}

/** The lines of a text that are only a name and a time, in order. */
export function candidatesIn(text: string): Candidate[] {
  const found: Candidate[] = [];
  let above: Candidate | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end).trim();
    const here = candidateOf(line, start, above !== undefined);
    if (above !== undefined) {
      const isRow = here !== undefined;
      const hasText = line !== '' && isText(here, above);
      found.push({ ...above, hasText, isRow, isInRows: above.isInRows || isRow });
    }
    above = here;
  }
  if (above !== undefined) found.push(above);
  return found;
}

/** A message may be like a row of a schedule, but a row is not the text of another one. */
function isText(line: Candidate | undefined, above: Candidate): boolean {
  return line === undefined || (line.isLoose && !above.isLoose);
}

function candidateOf(line: string, start: number, isInRows: boolean): Candidate | undefined {
  if (line.length > longestHeader || !/\d[:.]\d{2}/.test(line)) return undefined;
  const match = clear.exec(line);
  const written = (match ?? unclear.exec(line))?.slice(1).find((group) => group !== undefined);
  const bare = bareName(written ?? '').replace(/ (?:APP|BOT)$/, '');
  if (!name.test(bare) && !isContactName(bare)) return undefined;
  const speaker = speakerOfHeader(bare, line);
  const isClear = match !== null;
  const isLoose = !isClear && !exact.test(line);
  const isPrecise = precise.test(line);
  return speaker && { start, speaker, isClear, isPrecise, isLoose, isInRows, hasText: false, isRow: false };
}
