import { isRecord } from '../../dates/label-kinds.ts';
import { clock, exactClock, time } from '../../dates/stamps.ts';
import { commonWords } from '../../text/word-lists.ts';
import { bareName, isContactName, personsIn } from '../contact-names.ts';
import type { LexiconEntry } from '../lexicon.ts';
import { linesOf } from '../sentences.ts';
import { canBePerson, isLabel, isThing, type Speaker, speakerOfHeader } from '../speaker.ts';

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
const endsExactly = new RegExp(String.raw`${exactClock}\)?${end}`);
/** As programs write rather than persons: with a day, or with AM or PM. */
const precise = new RegExp(String.raw`${onDay}${time}|\d ?[AaPp]\.?[Mm]\b`);
const longestHeader = 90;
const emptyLine = /\n[ \t\r]*\n[ \t]*$/;
const longestGap = 50;
const name =
  /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’._-]{0,29}(?: (?:\p{Lu}|\d|(?:de|van|von|der|la)\b)[\p{L}\p{M}\p{N}'’.-]{0,29}){0,3}|[a-z][a-z0-9_.-]{1,29})$/u;

interface Candidate {
  readonly start: number;
  readonly line: string;
  readonly speaker: Speaker;
  readonly isClear: boolean;
  /** Without AM, PM or seconds, it does not tell who speaks below, only that somebody may. */
  readonly isLoose: boolean;
  /** It is directly above a line of another form. */
  readonly hasText: boolean;
  /** It is directly above another one. */
  readonly isRow: boolean;
}

/** The lines of an item that are only a speaker, by where they begin. */
export interface HeaderReading {
  has(start: number): boolean;
  /** Who speaks below a line; undefined for any other line. */
  at(start: number): Speaker | undefined;
  /** Whether a line is above another one of them: then the message goes on up to that one. */
  isAboveAnother(start: number): boolean;
  /**
   * Whether the message above a line is over: the last one ends with an empty line, as notes may follow; each one above the name
   * of somebody who speaks elsewhere.
   */
  isOver(start: number): boolean;
  /**
   * Where the first line is that somebody may post below, even where it is not known who says what: a known name and a time,
   * or an unknown one that does not look like a title, if two of these tell of a post: it has several words, the form is clear,
   * the time has a day, AM or PM. Rows of a schedule, each directly above the next one, are none.
   * @param isAgent whether a name is the agent's
   * @returns the position; infinite when there is none
   */
  firstPost(isAgent: (name: string) => boolean): number;
}

type LookUp = (name: string) => LexiconEntry | undefined;

/**
 * The lines of a text that are only a name and a time, each directly above what was said then, as in Slack, Discord, Teams,
 * Telegram and Otter. A schedule looks alike: so most of these lines must have text below, and at least half of those the
 * known name of a person, or one that stands in several lines of a text with several names. A place is none. Where only one
 * blank is before the time, there must be two persons, each with text below, and no rows.
 */
export function createHeaderReading(text: string, lookUp: LookUp): HeaderReading {
  const candidates = candidatesIn(text);
  const certain = candidates.filter(({ isLoose }) => !isLoose);
  const loose = candidates.filter(({ isLoose }) => isLoose);
  const isSchedule = loose.filter(({ isRow }) => isRow).length * 2 >= loose.length;
  const headers = new Map(headersIn(certain, lookUp).map(({ start, speaker }) => [start, speaker]));
  const last = [...headers.keys()].at(-1) ?? 0;
  const names = new Set(headers.values().map(({ name }) => name));
  const posts = new Set(certain.filter(({ speaker }) => names.has(speaker.name)).map(({ start }) => start));
  return {
    has: (start) => headers.has(start),
    at: (start) => headers.get(start),
    isAboveAnother: (start) => start < last,
    isOver: (start) =>
      posts.has(start) || (start > last && emptyLine.test(text.slice(Math.max(0, start - longestGap), start))),
    firstPost: (isAgent) =>
      (isSchedule ? certain : candidates).find(
        (each) =>
          !isAgent(each.speaker.name) &&
          (headers.has(each.start) || isPerson(each, lookUp) || isLikePost(each, lookUp)),
      )?.start ?? Number.POSITIVE_INFINITY,
  };
}

function headersIn(candidates: readonly Candidate[], lookUp: LookUp): Candidate[] {
  const unclearOnes = candidates.filter(({ isClear }) => !isClear);
  const persons = new Set(unclearOnes.filter((each) => isPerson(each, lookUp)).map(({ speaker }) => speaker.name));
  const isChat = persons.size > 1 && unclearOnes.every(({ hasText }) => hasText);
  const lines = candidates.filter(({ isClear }) => isClear || isChat);
  const found = lines.filter(({ hasText }) => hasText);
  const count = new Map<string, number>();
  for (const { speaker } of found) count.set(speaker.name, (count.get(speaker.name) ?? 0) + 1);
  const recurs = ({ speaker, isClear }: Candidate) => isClear && count.size > 1 && (count.get(speaker.name) ?? 0) > 1;
  const people = found.filter((each) => typeOf(each, lookUp) !== 'PLACE');
  const known = people.filter((each) => isPerson(each, lookUp) || recurs(each));
  const isTalk = known.length > 0 && known.length * 2 >= found.length && found.length * 2 > lines.length;
  return isTalk ? people : [];
}

function typeOf({ speaker }: Candidate, lookUp: LookUp): LexiconEntry['type'] {
  return lookUp(personsIn(speaker.name)[0] ?? '')?.type;
}

function isPerson(candidate: Candidate, lookUp: LookUp): boolean {
  return typeOf(candidate, lookUp) === 'PERSON';
}

function isLikePost(candidate: Candidate, lookUp: LookUp): boolean {
  const { name } = candidate.speaker;
  const signs = [name.includes(' '), candidate.isClear, precise.test(candidate.line)].filter((each) => each);
  return signs.length > 1 && !isLikeTitle(name) && typeOf(candidate, lookUp) !== 'PLACE';
}

/** `Daily Log` and `Flight LH123`, but not `Kestrel` and `Xiuying Zhao`. */
function isLikeTitle(name: string): boolean {
  if (isThing(name) || !canBePerson(name) || isRecord(name)) return true;
  return name.split(' ').some((word) => isLabel(word) || commonWords.has(word.toLowerCase()));
}

function candidatesIn(text: string): Candidate[] {
  const found: Candidate[] = [];
  let above: Candidate | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end).trim();
    const here = candidateOf(line, start);
    if (above !== undefined)
      found.push({ ...above, hasText: line !== '' && isText(here, above), isRow: here !== undefined });
    above = here;
  }
  if (above !== undefined) found.push(above);
  return found;
}

/** A message may be like a row of a schedule, but a row is not the text of another one. */
function isText(line: Candidate | undefined, above: Candidate): boolean {
  return line === undefined || (line.isLoose && !above.isLoose);
}

function candidateOf(line: string, start: number): Candidate | undefined {
  if (line.length > longestHeader || !/\d[:.]\d{2}/.test(line)) return undefined;
  const match = clear.exec(line);
  const written = (match ?? unclear.exec(line))?.slice(1).find((group) => group !== undefined);
  const bare = bareName(written ?? '').replace(/ (?:APP|BOT)$/, '');
  if (!name.test(bare) && !isContactName(bare)) return undefined;
  const speaker = speakerOfHeader(bare, line);
  const isClear = match !== null;
  const isLoose = !isClear && !endsExactly.test(line);
  return speaker && { start, line, speaker, isClear, isLoose, hasText: false, isRow: false };
}
