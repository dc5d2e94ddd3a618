import { isMail } from '../dates/label-kinds.ts';
import { linesOf } from './sentences.ts';
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
  String.raw`^(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon|evening))(?! diary| [Ww]orld)(?:(?: [\p{L}\p{M}.'’-]{1,30}){1,5}[,!:]${lineEnd}|(?: ${greeted}){1,5}[ \t\r]{0,4}\n${lineEnd})`,
  'mu',
);
const certainClosing =
  '(?:(?:With )?(?:[Bb]est|[Kk]ind|[Kk]indest|[Ww]arm|[Ww]armest) (?:[Rr]egards|[Ww]ishes)|Yours (?:[Ss]incerely|faithfully|truly)|[Ss]incerely yours|[Rr]egards|Cheers|Many thanks|Take care)';
const closingWord = '(?:[Ww]ishes|Best|[Ss]incerely|Yours|Thanks|Thank you|Love|Greetings)';
/** "Best" and "Love" may be entries of a list: so a comma or an empty line before tells. */
const closing = new RegExp(
  String.raw`(?:^${certainClosing}[.,!]?|(?<=\n[ \t\r]{0,4}\n)^${closingWord}[.]?|^${closingWord}[,!])[ \t\r]{0,4}\n(?:[ \t\r]{0,4}\n)?[ \t]{0,4}(?<name>${name})(?:,[^\n]{0,60})?${lineEnd}`,
  'gmu',
);
const mailField = /^[ \t*]{0,4}(?:From|To|Subject|Date|Sent)[ \t*]{0,4}:/gm;
const sender = /^[ \t*]{0,4}From[ \t*]{0,4}: ?"?([^<"\n\r]{1,60})/m;
const longestHeader = 2_000;
/** Lines that may begin the header of a mail; of more, the rest is not read. */
const maxFields = 50;

/**
 * From where on a text is recognisably written by others than the agent: by the header of a mail, a salutation, a closing with a
 * name, nicks, the signs of a review or of minutes. What the agent wrote under its name does not count.
 * @param isAgent whether a name is the agent's
 * @param isPerson whether a name is known as that of a person
 * @returns the position; infinite when there is none
 */
export function othersFrom(
  text: string,
  isAgent: (name: string) => boolean,
  isPerson: (name: string) => boolean,
): number {
  const headers = mailsIn(text);
  const signatures = text
    .matchAll(closing)
    .map(({ index, groups }) => ({ index, from: groups?.name ?? '' }))
    .toArray();
  const [first] = [...headers, ...signatures].sort((one, other) => one.index - other.index);
  const isOwnLetter = first !== undefined && isAgent(first.from);
  const greeting = startOf(salutation, text);
  const letter = Number.isFinite(greeting) || signatures.length === 0 ? greeting : 0;
  return Math.min(
    ...headers.filter(({ from }) => !isAgent(from)).map(({ index }) => index),
    ...text
      .matchAll(voice)
      .filter(({ groups }) => !isAgent(groups?.name ?? ''))
      .map(({ index }) => index)
      .take(1),
    firstNick(text, isAgent, isPerson),
    isOwnLetter ? Number.POSITIVE_INFINITY : letter,
    startOf(review, text),
    startOf(minutes, text),
  );
}

/** Without a time, a name with a capital may be a part of a page: `<Suspense> waits`, but not `<Kestrel> I wait`. */
function firstNick(text: string, isAgent: (name: string) => boolean, isPerson: (name: string) => boolean): number {
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

function mailsIn(text: string): { readonly index: number; readonly from: string }[] {
  return text
    .matchAll(mailField)
    .take(maxFields)
    .map(({ index }) => ({ index, header: text.slice(index, index + longestHeader) }))
    .filter(({ header }) => isMail(header))
    .map(({ index, header }) => ({ index, from: sender.exec(header)?.[1]?.trim() ?? '' }))
    .toArray();
}
