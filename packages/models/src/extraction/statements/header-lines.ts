import { clock, exactClock, time } from '../../dates/stamps.ts';
import { bareName, isContactName } from '../contact-names.ts';
import { linesOf, type Span } from '../sentences.ts';
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
/** `14 Nov 2026 9:14 — Anna Berg`, which may be an appointment as well. */
const reversed = new RegExp(String.raw`^${onDay}${time} [—–|] ([^\n:]{2,40})${end}`);
/** The second one of two lines: `Anna Berg`, `9:14 AM` */
const onlyMoment = new RegExp(`^(?:[—–] ?)?${moment}${end}`);
/** May be the row of a schedule as well: `Anna Berg 9:14 AM`, `Anna Berg | 9:14 AM`, `Anna Berg (9:14:00)`, `Anna 9:14` */
const unclear = new RegExp(String.raw`^${who}(?:,? | [|•] | ?[—–] )(?:${moment}|\(${moment}\))${end}`);
const fullDay = String.raw`(?:[Tt]oday|[Yy]esterday|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.? [A-Z][a-z]{2,8}\.? \d{4}|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4})`;
/** As programs write rather than persons, who note `Anna – 14.11.2026 9:14` and `Anna, Sunday 15:00`. */
const exact = new RegExp(String.raw`^[^–]*(?:${exactClock}|${fullDay}(?:,| at|, at)? \d{2}:\d{2})\)?${end}`);
/** Of a name that is that of a program. */
const tag = /^(?:APP|BOT)$/;
const precise = new RegExp(String.raw`${onDay}${time}|\d ?[AaPp]\.?[Mm]\b`);
const roundMinutes = /^[^:]*\b\d{1,2}:\d[05](?![:\d])/;
const longestHeader = 90;
const capital = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,29}`;
/** `Berg, Anna` */
const surnameFirst = new RegExp(
  `^(?<last>(?:(?:de|van|von|der|la) ){0,2}${capital}(?: ${capital}){0,2}), (?<first>${capital}(?: ${capital}){0,2})$`,
  'u',
);
const name =
  /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’._-]{0,29}(?: (?:\p{Lu}|\d|(?:de|van|von|der|la)\b)[\p{L}\p{M}\p{N}'’.-]{0,29}){0,3}|[a-z][a-z0-9_.-]{1,29})$/u;

/** A line that is only a name and a time. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
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
  /** Where its other lines begin, if the time is not on that of the name. */
  readonly otherLines?: readonly number[];
  /** The time stands before the name, or below it without a long dash, as in a list of appointments. */
  readonly isLikeAppointment?: true;
  /** Its minutes are 0, 5, 10 and so on, as persons plan; those of messages rarely are. */
  readonly isRound: boolean;
  /** The first line below. */
  readonly said: string;
}

/** The lines of a text that are only a name and a time, in order. */
export function candidatesIn(text: string): Candidate[] {
  const found: Candidate[] = [];
  const lines = [...linesOf(text)];
  const lineAt = (index: number) => text.slice(lines[index]?.start ?? 0, lines[index]?.end ?? 0).trim();
  let above: Candidate | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const place = lines[index] ?? { start: 0, end: 0 };
    const line = lineAt(index);
    const timeIndex = tag.test(lineAt(index + 1)) ? index + 2 : index + 1;
    const others = lines.slice(index + 1, timeIndex + 1);
    const split = splitCandidate(line, lineAt(timeIndex), place, others);
    const here = split ?? candidateOf(line, place, above !== undefined);
    if (above !== undefined) {
      const isRow = here !== undefined;
      const hasText = line !== '' && isText(here, above);
      found.push({ ...above, hasText, isRow, isInRows: above.isInRows || isRow, said: line });
    }
    above = here;
    if (split !== undefined) index = timeIndex;
  }
  if (above !== undefined) found.push(above);
  return found;
}

/** A message may be like a row of a schedule, but a row is not the text of another one. */
function isText(line: Candidate | undefined, above: Candidate): boolean {
  return line === undefined || (line.isLoose && !above.isLoose);
}

const whole = { isLoose: false, isInRows: false, hasText: false, isRow: false, said: '' };

function candidateOf(line: string, place: Span, isInRows: boolean): Candidate | undefined {
  if (line.length > longestHeader || !/\d[:.]\d{2}/.test(line)) return undefined;
  const match = clear.exec(line);
  const turned = match === null ? reversed.exec(line) : null;
  const written = (match ?? turned ?? unclear.exec(line))?.slice(1).find((group) => group !== undefined);
  const speaker = speakerIn(written ?? '', line, match !== null);
  const isClear = match !== null || turned !== null;
  const isLoose = !isClear && !exact.test(line);
  const isPrecise = precise.test(line);
  const isRound = roundMinutes.test(line);
  const found = speaker && { ...whole, ...place, speaker, isClear, isPrecise, isLoose, isInRows, isRound };
  return found && turned !== null ? { ...found, isLikeAppointment: true } : found;
}

/** A name and a time on two lines, or on three with the tag of a program between them. */
function splitCandidate(line: string, below: string, { start }: Span, others: readonly Span[]): Candidate | undefined {
  const last = others.at(-1);
  if (last === undefined || line.length > longestHeader || below.length > longestHeader) return undefined;
  if (!onlyMoment.test(below) || tag.test(line) || /\d[:.]\d{2}/.test(line)) return undefined;
  const speaker = speakerIn(line, line, false);
  const isPrecise = precise.test(below);
  const otherLines = others.map((other) => other.start);
  const isRound = roundMinutes.test(below);
  const found = speaker && { ...whole, start, end: last.end, otherLines, speaker, isClear: true, isPrecise, isRound };
  return found && !below.startsWith('—') ? { ...found, isLikeAppointment: true } : found;
}

/** @param isCertain whether a name and a time are written so that also `Berg, Anna` may be somebody */
function speakerIn(written: string, line: string, isCertain: boolean): Speaker | undefined {
  const bare = bareName(written).replace(/ (?:APP|BOT)$/, '');
  const { first, last } = (isCertain && surnameFirst.exec(bare)?.groups) || {};
  if (first !== undefined && last !== undefined) return speakerOfHeader(`${first} ${last}`, line);
  return name.test(bare) || isContactName(bare) ? speakerOfHeader(bare, line) : undefined;
}
