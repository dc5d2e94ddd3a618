import { weekday } from '../dates/date-words.ts';
import { foreignSenderOf, isMail } from '../dates/label-kinds.ts';
import { linesOf, type Span } from './sentences.ts';
import { isByNick, nickOf } from './speaker.ts';

const name = String.raw`\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,29}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,29}){0,3}`;
const lineEnd = String.raw`[ \t\r]*$`;

const voice = /^<v(?:\.[\w.]{1,30})? (?<name>[^>\n]{1,60})>/gm;
const stars = String.raw`(?:[★⭐☆]\ufe0f?){2}`;
const review = new RegExp(
  [
    String.raw`^(?:\p{Lu}\p{L}{1,20} )?[Rr]eview(?:ed)? (?:by|from) ${name}(?:[^\n]{0,60}(?:[1-5] stars?\b|[1-5] ?/ ?5|[★⭐☆])|(?:(?:,| on) [^\n:.]{0,10}\d[^\n:.]{0,20})?(?::\s|${lineEnd}))`,
    `^(?:(?:My )?[Rr]ating: ?)?${stars}`,
    String.raw`\bVerified [Pp]urchase\b`,
    String.raw`^[1-5](?:\.\d)?(?: stars?| ?\/ ?5| out of 5)[ \t]{0,4}(?:[.:,–—-]|\r?$)`,
  ].join('|'),
  'mu',
);
const person = String.raw`\p{Lu}[\p{L}\p{M}.'’-]{1,29}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,29}){0,3}(?: \([^)\n]{1,40}\))?`;
const item = String.raw`[ \t\r]{0,4}\n[ \t]{0,4}(?:[-*•] )?`;
const minutes = new RegExp(
  String.raw`^(?:Minutes by: ?\p{Lu}|(?:Present|Attendees|Participants|Apologies):(?: ?${person}(?:[,;] ?| and | & )${person}|(?:${item}${person}){2}))`,
  'mu',
);
const greeted = String.raw`(?:\p{Lu}[\p{L}\p{M}.'’-]{0,29}|and|all|both|everybody|everyone|folks|guys|team|there)`;
const salutation = new RegExp(
  String.raw`^(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon|evening))(?! diary| [Ww]orld)(?:(?: [\p{L}\p{M}.'’-]{1,30}){1,5}[,!:]${lineEnd}|(?: ${greeted}){1,5}[ \t\r]{0,4}\n${lineEnd})|^To [Ww]hom [Ii]t [Mm]ay [Cc]oncern[,:]?${lineEnd}`,
  'mu',
);
const certainClosing =
  '(?:(?:With )?(?:[Bb]est|[Kk]ind|[Kk]indest|[Ww]arm|[Ww]armest) (?:[Rr]egards|[Ww]ishes)|Yours (?:[Ss]incerely|faithfully|truly)|[Ss]incerely yours|[Rr]espectfully yours|[Rr]egards|Cheers|Many thanks|Take care)';
const closingWord = '(?:[Ww]ishes|Best|[Ss]incerely|[Rr]espectfully|Yours|Thanks|Thank you|Love|Greetings)';
/** "Best" and "Love" may be entries of a list: so a comma or an empty line before tells. */
const closing = new RegExp(
  String.raw`(?:^${certainClosing}[.,!]?|(?<=\n[ \t\r]{0,4}\n)^${closingWord}[.]?|^${closingWord}[,!])[ \t\r]{0,4}\n(?:[ \t\r]{0,4}\n)?[ \t]{0,4}(?<name>${name})(?:,[^\n]{0,60})?${lineEnd}`,
  'gmu',
);
const ruleAbove = /^[-_=]{2,}[^\n]{0,60}\n/gm;
const mailField = /^[ \t*]{0,4}(?:From|To|Subject|Date|Sent)[ \t*]{0,4}:/gm;
const sender = /^[ \t*]{0,4}From[ \t*]{0,4}: ?"?([^<"\n\r]{1,60})/m;
/** `On 13.11.2026 Anna wrote:` */
const wrote = new RegExp(
  String.raw`^(?:On [^\n]{1,100}[ ,])?(?<name>${name})(?: <[^>\n]{1,60}>)? wrote:${lineEnd}`,
  'gmu',
);
const longestHeader = 2_000;
const emptyLine = /\n[ \t\r]*\n/;
/** Lines that may begin the header of a mail; of more, the rest is not read, and what is below a mail is by others. */
const maxFields = 50;

const ownSender = /^[ \t*]{0,4}From[ \t*]{0,4}: ?"?([^<"\n\r]{1,60})/;
const writer =
  /^(?<when>On )?(?<name>[^\n]{1,160}?)(?: <[^>\n]{1,60}>)? wrote:$|^Am [^\n]{1,60}? schrieb (?<named>[^\n<]{1,60}?)(?: <[^>\n]{1,60}>)?:$/u;
/** In a line above a quotation, the day and the time. */
const untilName = new RegExp(String.raw`^.*(?:[\d,]|\b[AaPp]\.?[Mm]\b\.?|${weekday})\s+`, 'u');
const clockTime = /(?<![\d.])\d{1,2}[:.]\d{2}(?![\d.])/;

/** The name in the line of a mail that names its sender; undefined for other lines. */
export function senderOf(line: string): string | undefined {
  return ownSender.exec(line)?.[1]?.trim();
}

export interface Writer {
  readonly name: string;
  /** It has a day and a time, which nobody writes by hand: what is below may not be quoted, but it is still by that person. */
  readonly isByProgram: boolean;
}

/**
 * Who is named by a line above a quotation, "On 13.11.2026 Anna wrote:"; undefined for other lines. Without a time it may be
 * part of a sentence.
 */
export function writerOf(line: string): Writer | undefined {
  const { when, name: written, named } = writer.exec(line)?.groups ?? {};
  const isByProgram = clockTime.test(line) && /\d/.test(line.replace(clockTime, ''));
  if (named !== undefined) return { name: named, isByProgram };
  if (written === undefined) return undefined;
  const bare = written.replace(untilName, '');
  const isWithoutDay = when !== undefined && bare === written;
  return { name: isWithoutDay ? '' : bare, isByProgram: isByProgram && when !== undefined };
}

/** Whether a line greets somebody, as a letter begins. */
export function isSalutation(line: string): boolean {
  return salutation.test(`${line}\n`);
}

/** The closings of letters, with the names below them. */
export function closingsIn(text: string): Span[] {
  return signsIn(text, closing, false);
}

/** Where words of others begin in a text, or words that may be the agent's own. */
export interface Passage {
  readonly start: number;
  readonly isOthers: boolean;
}

type IsName = (name: string) => boolean;

/**
 * Whether what is at a position of a text is written by others than the agent, by the last passage that begins before it. To be
 * asked in ascending order.
 */
export function createOthersReading(passages: readonly Passage[]): (position: number) => boolean {
  const sorted = passages.toSorted((one, other) => one.start - other.start);
  let next = 0;
  return (position) => {
    while ((sorted[next]?.start ?? Number.POSITIVE_INFINITY) <= position) next += 1;
    return sorted[next - 1]?.isOthers ?? false;
  };
}

/**
 * What of a text is recognisably written by others than the agent: by the header of a mail, a salutation, a closing with a
 * name, nicks, the signs of a review or of minutes.
 * @param isAgent whether a name is the agent's
 * @param isPerson whether a name is known as that of a person
 */
export function passagesIn(text: string, isAgent: IsName, isPerson: IsName): Passage[] {
  const voices = text.matchAll(voice).filter(({ groups }) => !isAgent(groups?.name ?? ''));
  const starts = [
    ...voices.map(({ index }) => index).take(1),
    firstNick(text, isAgent, isPerson),
    startOf(review, text),
    startOf(minutes, text),
  ];
  return [...starts.map((start) => ({ start, isOthers: true })), ...lettersIn(text, isAgent)];
}

/** The header of a mail, or what tells who wrote the letter below, or the closing of a letter. */
interface Sign extends Span {
  readonly isHeader: boolean;
  readonly from: string;
}

/**
 * The mails and letters of a text. Where the agent sent or signed all of them, nothing is by others; else what is below a header
 * and what is above a closing is by whom it names, and what is below the last closing by others.
 */
function lettersIn(text: string, isAgent: IsName): Passage[] {
  const found = [...mailsIn(text), ...foreignMailsIn(text), ...signsIn(text, closing, false)];
  const answers = found.length > 0 ? signsIn(text, wrote, true) : [];
  const signs = [...found, ...answers].sort((one, other) => one.start - other.start);
  const [first] = signs;
  if (first !== undefined && signs.every(({ from }) => isAgent(from))) return [];
  const isOthers = (sign: Sign) => !isAgent(sign.from);
  const passages = first && isAgent(first.from) ? [] : topOf(text, first);
  for (const [index, sign] of signs.entries()) {
    const above = signs[index - 1];
    const below = signs[index + 1];
    if (sign.isHeader)
      passages.push({ start: sign.start, isOthers: isOthers(sign) || (below?.isHeader === false && isOthers(below)) });
    else {
      if (above?.isHeader === false) passages.push({ start: above.end, isOthers: isOthers(sign) });
      passages.push({ start: sign.end, isOthers: true });
    }
  }
  return passages;
}

/** A letter by others that the text begins with. Above its salutation, a note may be the agent's own. */
function topOf(text: string, first: Sign | undefined): Passage[] {
  const greeting = startOf(salutation, text);
  if (greeting < (first?.start ?? text.length)) return [{ start: greeting, isOthers: true }];
  return first?.isHeader === false ? [{ start: 0, isOthers: true }] : [];
}

function signsIn(text: string, pattern: RegExp, isHeader: boolean): Sign[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index, groups }) => ({
    isHeader,
    start: index,
    end: index + length,
    from: groups?.name ?? '',
  }));
}

/** Without a time, a name with a capital may be a part of a page: `<Suspense> waits`, but not `<Kestrel> I wait`. */
function firstNick(text: string, isAgent: IsName, isPerson: IsName): number {
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const nick = isByNick(line) === false ? undefined : nickOf(line);
    if (nick === undefined || isAgent(nick.name)) continue;
    const isTurn = !nick.isNamed || /^\p{Lu}/u.test(line.slice(nick.prefixLength)) || isByNick(line) === 'timed';
    if (isTurn || isPerson(nick.name)) return start;
  }
  return Number.POSITIVE_INFINITY;
}

function startOf(pattern: RegExp, text: string): number {
  const found = text.search(pattern);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function foreignMailsIn(text: string): Sign[] {
  const rules = [...text.matchAll(ruleAbove).take(maxFields)];
  return rules.flatMap(({ index: start }) => {
    const below = text.slice(start, start + longestHeader);
    const from = foreignSenderOf(below);
    const [header = ''] = below.split(emptyLine, 1);
    return from === undefined ? [] : [{ isHeader: true, start, end: start + header.length, from }];
  });
}

function mailsIn(text: string): Sign[] {
  const fields = [...text.matchAll(mailField).take(maxFields)];
  const mails: Sign[] = [];
  for (const { index: start } of fields) {
    const below = text.slice(start, start + longestHeader);
    if (start < (mails.at(-1)?.end ?? 0) || !isMail(below)) continue;
    const [header = ''] = below.split(emptyLine, 1);
    mails.push({ isHeader: true, start, end: start + header.length, from: sender.exec(header)?.[1]?.trim() ?? '' });
  }
  const rest = fields[maxFields - 1]?.index;
  return mails.length > 0 && rest !== undefined
    ? [...mails, { isHeader: true, start: rest, end: rest, from: '' }]
    : mails;
}
