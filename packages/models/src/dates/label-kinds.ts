import { anyCase } from '../any-case.ts';
import { month, monthDay, weekday } from './date-words.ts';
import { beforeTime, numericDate, time, unseen } from './stamps.ts';

/** A form of lines that tell when what follows was written. */
export interface LabelKind {
  /**
   * Of the start of a line and of what follows. `date` is the date; `first`, `mark`, `second` and `third` are a numeric one;
   * without both, there is a date that cannot be read. `lead` stands before it.
   */
  readonly pattern: RegExp;
  /** The source of an expression for the lines with which it ends. */
  readonly until: (lead: string) => string;
  /** `start`: only at the start of a text, and below one of the same kind; `log`: only where all lines are dated. */
  readonly where?: 'start' | 'log';
  /** What else is asked of a text that begins with it. */
  readonly isIn?: (text: string) => boolean;
  /** How a line below an empty one must begin, or it is over. */
  readonly goesOn?: RegExp;
  /** It ends with the next one of the same kind and lead. */
  readonly isReplaced?: true;
  /** It is the name and the time above a message. */
  readonly isPost?: true;
}

const bold = '[*_]{0,2}';
const nth = '(?:st|nd|rd|th)?';
const weekdayName = String.raw`(?:${weekday}|(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?)`;
const date = String.raw`(?:${weekdayName},? )?(?<date>[12]\d{3}-\d{2}-\d{2}|${monthDay}${nth} ${month},? [12]\d{3}|${month} ${monthDay}${nth},? [12]\d{3})(?!\d)`;
const timeBehind = String.raw`(?:(?:T|,? (?:at )?)${time}[ \dA-Z:+()-]{0,20})?`;
const lineEnd = String.raw`${bold}[ \t\r]*(?![^\n])`;
const emptyLine = String.raw`\n[ \t\r]*\n`;

const name = String.raw`\p{L}[\p{L}\p{M}\p{N}_.'’]{0,29}(?: \p{Lu}[\p{L}\p{M}.'’]{0,29}){0,3}`;
const roleLine = `${bold}(?:[Uu]ser|[Aa]ssistant)${bold}:`;
/** What is said at a time ends with an empty line and with the next time, also one of another form. */
const nextStamp = String.raw`${unseen}(?:\[\d|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}${beforeTime}\d{1,2}[:.]\d{2})`;
const stampEnd = String.raw`^(?:\s*$|${nextStamp}|${roleLine})`;

/** What is written on a day, as the end of a title: "Team standup". */
const record = `(?:${anyCase('journal|diary|log|logbook|notes?|minutes|standup|stand-up|daily|weekly|meeting|entry|report|update|retro|retrospective|sync|call|memo|check-in|debrief|review|recap|summary|session|letter|newsletter')})`;
const endsWithRecord = new RegExp(String.raw`(?<![\p{L}\p{N}])${record}$`, 'u');
const notPlanned = String.raw`(?!(?:${anyCase('next|last|previous|upcoming|planned|future')})\b)`;
const noSentence = String.raw`(?!(?:${anyCase('of|from|on|I|my|your')})\b)`;
const title = String.raw`${notPlanned}(?:${noSentence}[\p{L}\p{N}'’&/]{1,20} ){0,4}${record}(?:,| [–—]| -|:)? `;
/** Of a changelog: `[2.3.0] - 2026-10-21`, `v1.4 (21 October 2026)`. */
const version = String.raw`\[?(?:[Vv]ersion |[Rr]elease )?v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+][\w.+-]{1,20})?\]?(?:\([^)\n]{1,120}\))?(?:,| [–—-])? \(?`;
const place = String.raw`\p{Lu}[\p{L}'’.]{1,29}(?: \p{Lu}[\p{L}'’.]{1,29}){0,2}, `;
const salutation = String.raw`(?:Dear|Hello|Hi|Hey|My dear)\b`;

const mailField = `(?:From|To|C[Cc]|B[Cc]{2}|Subject|Date|Sent|R[Ee]|Reply-To|In-Reply-To|References|Message-I[Dd]|Importance|Attachments|MIME-Version|Return-Path|Received|(?:X|Content|DKIM|List|Delivered|ARC|Authentication)-[A-Za-z-]{1,30})`;
const foldedLine = String.raw`[ \t](?![> \t]{0,20}${bold}[A-Z][A-Za-z-]{0,30}:)[^\n]{1,300}\n`;
const mailLine = String.raw`[> \t]{0,20}${bold}${mailField}${bold}:[^\n]{0,300}\n(?:${foldedLine}){0,9}`;
const mailFieldLine = new RegExp(`^${bold}${mailField}${bold}:`);
const mailHeader = new RegExp(`^(?:${mailLine}){0,16}`);
const mailAddress = new RegExp(String.raw`^[> \t]{0,20}${bold}(?:From|To)${bold}:[^\n]{0,100}@`, 'm');
/** Each may stand in a ticket or a certificate too: "From: Rome", "CC: 1234", "Date: 5 May 2025". */
const mailSigns = [
  'Subject',
  'B?[Cc]{2}',
  'R[Ee]',
  'Reply-To',
  'Message-I[Dd]',
  'Sent',
  String.raw`Date(?=${bold}: [A-Z][a-z]{2}, [^\n]{0,20}:\d\d:\d\d)`,
].map((each) => new RegExp(String.raw`^[> \t]{0,20}${bold}${each}${bold}:`, 'm'));
const rule = String.raw`[> \t]{0,20}(?:-{3,}|_{3,}|\*{3,})\s*$`;
const dateName = String.raw`${bold}(?:Date|Sent)${bold}:${bold}[ \t]{0,9}`;
const dateField = `${dateName}${date}${timeBehind}${lineEnd}`;
/** Also with a date that cannot be read, as those of other languages: what is below was then said on an unknown day. */
const mailDate = String.raw`${dateName}(?:(?:${date}|${numericDate})${timeBehind}${lineEnd}|(?=[^\n]{0,60}\d)[^\n]{1,120}${lineEnd})`;
const mailStart = String.raw`(?:${mailLine}){0,12}?[> \t]{0,20}${mailDate}`;
/** "Ben: I left", as in a chat around a mail, but not "PS: I left". */
const turn = String.raw`(?!(?:P\.?S|N\.?B|Note|Update|Edit|Question|Reminder|FYI|Info)\b)[A-Z][\w.'’-]{1,29}: (?:I|My|We|Our)\b`;
const recordTitle = String.raw`(?:#{1,6} )?${bold}${notPlanned}[^\n:]{0,60}\b${record}\b[^\n:]{0,60}\n(?:[ \t\r]*\n)?`;
const recordLine = String.raw`${bold}[A-Z][\p{L} ]{0,30}:[^\n]{0,300}\n`;
const recordSign = `${bold}(?:Present|Attend(?:ees|ance|ing)|Participants|Apologies|Chair|Author|Written by|Recorded by|Minutes by|Minutes)${bold}:`;

/**
 * The header of a mail below a rule as programs draw it, whose words are those of another language: "Von: Ana <ana@x.example>".
 * It has at least three fields; cards of contacts and of bookings have rules and addresses too.
 */
const foreignField = String.raw`[*_]{0,2}\p{Lu}[\p{L}-]{0,15}[*_]{0,2} ?:[*_]{0,2} [^\n]{1,300}\n`;
const foreignStart = String.raw`^(?:-{4,} ?[^\n\d-]{1,60} ?-{4,}|_{10,})[ \t\r]*\n(?!${bold}${mailField}${bold}:)(?=[^\n:]{1,20}:[^\n<]{1,80}<[^\s<>]{1,60}@)`;
const foreignDate = String.raw`[*_]{0,2}\p{Lu}[\p{L}-]{0,15}[*_]{0,2} ?:[^\n\d]{0,30}(?:(?<date>[12]\d{3}-\d{2}-\d{2}|${monthDay}\.? ${month},? [12]\d{3})|${numericDate}|\d)(?=[^\n]{0,40}\d{1,2}[:.]\d{2})[^\n]{0,60}${lineEnd}`;
const foreignMail = new RegExp(`${foreignStart}(?:${foreignField}){1,6}?${foreignDate}\n${foreignField}`, 'u');
const foreignSender = /^[^\n]*\n[^\n:]{1,20}:[*_]{0,2} "?(?<name>[^<"\n]{1,60})/;

/** Mail programs write their line above a quotation in the language of their user. */
const onDay = '(?:On|Am|Le|El|Il|Op|Em|Den)';
const wrote = String.raw`(?:\bwrote|\bschrieb[^\n:]{0,80}|\b(?:a|ha|hat) (?:écrit|scritto|escrito|geschrieben)|\bescribió|\bescreveu|\bschreef[^\n:]{0,80}|\bskrev[^\n:]{0,80})[ \u00a0]?:`;

/** A line of a log: "2025-04-07: I slept well." */
export const logLine = new RegExp(`^(?<lead>)${bold}${date}${bold}(?::${bold}| [-–—]) `);

/** What each of them begins with, except at the start of a text. */
export const labelStart = new RegExp(
  [
    String.raw`${unseen}[[*_]{0,2}(?:\d|(?:${month}|${weekdayName})[^\n]{0,20}\d)`,
    String.raw`#{1,6} [^\n]{0,160}\d`,
    String.raw`[-—–=*]{1,10} ?[^\n]{0,40}\d`,
    '[-_=]{2,}',
    String.raw`[> \t]*${onDay} [^\n]{0,30}\d`,
    String.raw`[> \t]{0,20}${bold}[A-Z][A-Za-z-]{1,30}${bold}:`,
  ]
    .map((each) => `^${each}`)
    .join('|'),
);

const dayLine = String.raw`(?:[-—–=*]{1,10} ?(?:[A-Za-z]{2,12} ){0,2})?${date}[-—–=* \t\r]{0,12}`;
const dayTime = String.raw`\[?\d{1,2}:\d{2}`;
const dateStart = new RegExp(String.raw`^[[*_#]{0,4} ?(?:${date}|${numericDate})(?!\d)`);

/** Other dates at the starts of lines are more often what the line is about: plans, answers, entries of a history. */
export const labelKinds: readonly LabelKind[] = [
  {
    pattern: new RegExp(
      String.raw`^${unseen}(?<lead>\[)${date}(?:(?:T|${beforeTime})\d{1,2}:\d{2}[^\]\n]{0,20})?\](?= [^\s:][^:\n]{0,40}: )`,
    ),
    until: () => stampEnd,
  },
  {
    pattern: new RegExp(
      String.raw`^${unseen}(?<lead>\[)${numericDate}(?:${beforeTime}\d{1,2}[:.]\d{2}[^\]\n]{0,20}|(?<=\d{4}|\[\d{4}[\d./-]{4,6}))\](?= [^\s:][^:\n]{0,40}: )`,
    ),
    until: () => stampEnd,
  },
  {
    pattern: new RegExp(
      String.raw`^(?<lead>)${date}(?:T|,? (?:at )?)${time}(?:Z|[+-]\d\d:?\d\d)?(?: -)?(?= ${name}: )`,
      'u',
    ),
    until: () => stampEnd,
  },
  {
    pattern: new RegExp(String.raw`^${unseen}(?<lead>)${numericDate}${beforeTime}${time} -(?= [^:\n]{1,60}: )`),
    until: () => stampEnd,
  },
  {
    pattern: new RegExp(`^(?<lead>#{1,6}) ${bold}(?:${title}|${place})?${date}${timeBehind}${lineEnd}`, 'u'),
    until: (lead) => String.raw`^(?:#{1,${lead.length}} |(?:-{3,}|\*{3,})\s*$|${roleLine})`,
  },
  {
    pattern: new RegExp(String.raw`^(?<lead>#{1,6}) ${bold}${version}${date}\)?${lineEnd}`, 'u'),
    until: (lead) => String.raw`^(?:#{1,${lead.length}} |(?:-{3,}|\*{3,})\s*$|${roleLine})`,
  },
  {
    pattern: new RegExp(
      String.raw`^(?<lead>)${bold}(?=${weekdayName},? |${place}[^\n]{1,100}\n(?:[ \t\r]*\n)?${salutation})(?:${place})?${date}${timeBehind}${lineEnd}`,
      'u',
    ),
    until: () => `^${roleLine}`,
    where: 'start',
    isReplaced: true,
  },
  {
    pattern: new RegExp(String.raw`^(?<lead>)${dayLine}(?=\n(?:[ \t\r]*\n)?${dayTime})`),
    until: () => `^(?:#|${roleLine}|${dayLine}$)`,
    goesOn: new RegExp(`^${dayTime}`),
    isReplaced: true,
  },
  {
    pattern: new RegExp(
      String.raw`^(?<lead>)(?=${recordTitle}|(?:${recordLine}){0,6}${recordSign}|[^\n]{1,100}${emptyLine})(?:${recordTitle})?(?:${recordLine}){0,6}?${dateField}`,
      'u',
    ),
    until: () => `^${roleLine}`,
    where: 'start',
  },
  {
    pattern: new RegExp(String.raw`^(?<lead>)(?![ \t]{0,19}>)${mailStart}`),
    until: () => `^(?:${roleLine}|${rule})`,
    where: 'start',
    isIn: isMail,
    isReplaced: true,
  },
  {
    pattern: new RegExp(`^(?<lead>)(?=${bold}From${bold}:)${mailStart}`),
    until: () => `^(?:${roleLine}|${rule}|${nextStamp}|${turn})`,
    isIn: isMail,
    isReplaced: true,
  },
  {
    pattern: foreignMail,
    until: () => `^(?:${roleLine}|${rule}|${nextStamp}|${turn})`,
    isReplaced: true,
  },
  {
    pattern: new RegExp(String.raw`^(?<lead>(?=[ \t]{0,19}>)[> \t]{1,20})${mailStart}`),
    until: (lead) => `${lessQuoted(depthOf(lead))}|^${rule}`,
    isIn: isMail,
    isReplaced: true,
  },
  {
    pattern: new RegExp(
      String.raw`^(?<lead>[> \t]*)${onDay} (?:(?:${date}|${numericDate})(?!\d)|(?=[^\n]{0,30}\d))[^\n]{0,150}?(?:\n[^\n]{0,80}?)??${wrote}(?=\s*\n[> \t]*>)`,
    ),
    until: (lead) => lessQuoted(depthOf(lead) + 1),
  },
  {
    pattern: logLine,
    until: () => String.raw`^\S`,
    where: 'log',
  },
];

const postTime = `(?:,| at|, at)? ${time}`;
/** The day in the line of a name and a time above a message, `Anna, [13.11.26 09:14]` and `Anna — Yesterday at 9:14`. */
export const wholePostDay = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${date}|${numericDate})${postTime}`, 'u');
export const relativePostDay = new RegExp(String.raw`(?<!\p{L})(?<relative>[Tt]oday|[Yy]esterday)${postTime}`, 'u');

/** The message below a name and a time goes on up to the next one; that below the last one ends with an empty line. */
export const post: LabelKind = { pattern: wholePostDay, until: () => `^(?:${nextStamp}|${roleLine})`, isPost: true };
export const lastPost: LabelKind = { ...post, until: () => stampEnd };

/** Whether a title is that of a record: `Daily Log`, `Update`. */
export function isRecord(title: string): boolean {
  return endsWithRecord.test(title);
}

/** Whether a line is one of those that the header of a mail has. */
export function isMailField(line: string): boolean {
  return mailFieldLine.test(line);
}

/** Whether a line begins with a date, as an entry of a diary or of a log does. */
export function beginsWithDate(line: string): boolean {
  return dateStart.test(line);
}

/** Whether a text begins with the header of a mail. */
export function isMail(text: string): boolean {
  const [header = ''] = mailHeader.exec(text) ?? [];
  return mailAddress.test(header) || mailSigns.filter((sign) => sign.test(header)).length > 1;
}

/** Who sent the mail in another language that a text begins with, below a rule; undefined when it begins with something else. */
export function foreignSenderOf(text: string): string | undefined {
  return foreignMail.test(text) ? (foreignSender.exec(text)?.groups?.name?.trim() ?? '') : undefined;
}

function depthOf(lead: string): number {
  return lead.split('>').length - 1;
}

function lessQuoted(depth: number): string {
  return String.raw`^(?!(?:[ \t]*>){${depth}})[^\n]*[^\s>]`;
}
