import { isMail } from '../dates/label-kinds.ts';

const name = String.raw`\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,29}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,29}){0,3}`;
const handle = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.'’-]{0,29}`;
const time = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?`;
const day = String.raw`(?:[Tt]oday|[Yy]esterday|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})`;
const moment = `(?:${day},?(?: at)? )?${time}`;
const lineEnd = String.raw`[ \t\r]*$`;

/** What stands before the words of a person: posts of Slack, Teams, Discord and Telegram, lines of IRC, subtitles. */
const post = new RegExp(
  [
    String.raw`(?<post>${name}),?(?: [—–|•-])? {1,4}[[(]?${moment}[\])]?${lineEnd}`,
    `(?<discord>${handle}) [—–-] ${day},?(?: at)? ${time}${lineEnd}`,
    String.raw`\[${moment}\] (?<teams>${name})${lineEnd}`,
    String.raw`(?:[[(]?${moment}[\])]? )?<(?:[@+%~&]|v )?(?<irc>${handle}(?: ${handle}){0,2})>[ \t]{0,4}\S`,
  ]
    .map((each) => `^(?:${each})`)
    .join('|'),
  'gmu',
);
const review =
  /^(?:\p{Lu}\p{L}{1,20} )?[Rr]eview(?:ed)? (?:by|from) \p{Lu}|[★⭐☆]{2}|\bVerified [Pp]urchase\b|^[1-5](?:\.\d)?(?: stars?| ?\/ ?5| out of 5)[ \t]{0,4}(?:[.:,–—-]|\r?$)/mu;
const minutes = /^(?:Present|Attendees|Participants|Apologies|Minutes by):/m;
const salutation =
  /^(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon|evening))(?! diary)(?: [\p{L}\p{M}.'’-]{1,30}){1,5}(?:[,!:][ \t\r]{0,4}$|[ \t\r]{0,4}\n[ \t\r]{0,4}$)/mu;
const closing = new RegExp(
  String.raw`^(?:(?:(?:With )?(?:[Bb]est|[Kk]ind|[Kk]indest|[Ww]arm|[Ww]armest) )?(?:[Rr]egards|[Ww]ishes)|Best|Cheers|(?:Yours )?[Ss]incerely(?: yours)?|Yours(?: faithfully| truly)?|Many thanks|Thanks|Thank you|Love|Greetings|Take care)[,.!]?[ \t\r]{0,4}\n(?:[ \t\r]{0,4}\n)?[ \t]{0,4}(?<name>${name})(?:,[^\n]{0,60})?${lineEnd}`,
  'gmu',
);
const mailField = /^[ \t*]{0,4}(?:From|To|Subject|Date|Sent)[ \t*]{0,4}:/gm;
const sender = /^[ \t*]{0,4}From[ \t*]{0,4}: ?"?([^<"\n\r]{1,60})/m;
const longestHeader = 2_000;
/** Lines that may begin the header of a mail; of more, the rest is not read. */
const maxFields = 50;

/**
 * From where on a text is recognisably written by others than the agent: by the header of a mail, a salutation, a closing with a
 * name, the stamps of posts, the signs of a review or of minutes. What the agent wrote under its name does not count.
 * @param isAgent whether a name is the agent's
 * @returns the position; infinite when there is none
 */
export function othersFrom(text: string, isAgent: (name: string) => boolean): number {
  const headers = mailsIn(text);
  const signatures = text
    .matchAll(closing)
    .map(({ groups }) => groups?.name ?? '')
    .toArray();
  const isOwnLetter = [...headers.map(({ from }) => from), ...signatures].some(isAgent);
  const greeted = startOf(salutation, text);
  const letter = Number.isFinite(greeted) || signatures.length === 0 ? greeted : 0;
  return Math.min(
    ...headers.filter(({ from }) => !isAgent(from)).map(({ index }) => index),
    ...text
      .matchAll(post)
      .filter(({ groups = {} }) => !isAgent(Object.values(groups).find((each) => each !== undefined) ?? ''))
      .map(({ index }) => index)
      .take(1),
    isOwnLetter ? Number.POSITIVE_INFINITY : letter,
    startOf(review, text),
    startOf(minutes, text),
  );
}

function startOf(pattern: RegExp, text: string): number {
  const found = text.search(pattern);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function mailsIn(text: string): { readonly index: number; readonly from: string }[] {
  return text
    .matchAll(mailField)
    .take(maxFields)
    .map(({ index }) => ({ index, header: text.slice(index, index + longestHeader) }))
    .filter(({ header }) => isMail(header))
    .map(({ index, header }) => ({ index, from: sender.exec(header)?.[1]?.trim() ?? '' }))
    .toArray();
}
