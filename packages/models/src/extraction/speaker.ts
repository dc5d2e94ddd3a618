import type { Post } from '../dates/dated-lines.ts';
import { beforeTime, time, unseen } from '../dates/stamps.ts';
import { wordSet } from '../text/word-lists.ts';
import { bareName, canBeStamped, isContactName, personsIn } from './contact-names.ts';
import { personWord } from './person-words.ts';

/** The speaker of a line: `Anna: I moved to Rome.` */
export interface Speaker {
  readonly name: string;
  /** Only lines of the agent can become its experiences or opinions. */
  readonly isAgent: boolean;
  /** A name, not a role such as `User`. */
  readonly isNamed: boolean;
  /** Where the text after the prefix begins, from the start of the line. */
  readonly prefixLength: number;
  /**
   * May be a label ("Manager: Tom") or a name in a list ("- Tom: tests"). It belongs to the text of its line and to no other
   * line.
   */
  readonly isUncertain?: boolean;
  /** Written as contacts are rather than as names: `Mum ❤️`, `+49 171 5550199`, `Anna & Tom`, `王芳`. */
  readonly isContact?: boolean;
  /** Its line is only its name and a time; what it says is below. */
  readonly isHeader?: boolean;
  /** What it says is its mail. */
  readonly isMail?: boolean;
}

/** Who speaks in the lines of one item, in order. */
export interface SpeakerReading {
  /** The speaker of the line that was read last. */
  current(): Speaker | undefined;
  /** Where further turns begin in a line, in order: `User: I do` in `Assistant: Do you ski? User: I do.` */
  turnsWithin(line: string): number[];
  /**
   * @param start where the line begins in the item
   * @param isShared whether it is one of several turns of a line, which do not tell who goes on in the next one
   * @returns the speaker whose prefix the line has; undefined when it has none
   */
  read(line: string, start: number, isShared?: boolean): Speaker | undefined;
  /**
   * Whether a position is in a part that is recognisably written by others, as a mail is, also where no speaker is known. To be
   * asked in ascending order.
   */
  isByOthers(position: number): boolean;
  /** Whether a line certainly begins with a speaker, even where it could go on with the sentence before. */
  isTurn(line: string, start: number): boolean;
  /** Whether the line that begins there is only a name and a time, as in Slack: `Anna Berg  9:14 AM` */
  isHeader(start: number): boolean;
  /** Those lines, in order. */
  readonly posts: readonly Post[];
}

const longestPrefix = 120;
/**
 * As in exported chats: `5/14/24, 10:43 AM - Ben: Hello`. Words after other times may be labels: "10:00 Louvre: by metro",
 * "2024-05-06 14:00 - Retro: cancelled".
 */
const stamp = String.raw`(?!\d{4}-\d\d-\d\d )\d{1,4}[./-]\d{1,2}[./-]\d{1,4}${beforeTime}${time} - `;
/** `[11/13/26, 7:12:00 PM]`, in exports of iOS behind an invisible mark of direction. */
const bracketStamp = String.raw`\[\d{1,4}[./-]\d{1,2}[./-]\d{1,4}${beforeTime}\d{1,2}[:.]\d{2}[^\]\n]{0,12}\]`;
const decoration = String.raw`\s*${unseen}(?:[-*>•]\s+)?(?:[\[(][^\])\n]{1,40}[\])]\s*|${stamp})?(?:\*\*|__)?`;
const properName = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,29}(?: (?:\p{Lu}|\d|(?:de|van|von|der|la)\b)[\p{L}\p{M}\p{N}'’.-]{0,29}){0,3}`;
/** As in transcripts: `SPEAKER_00`. */
const numbered = String.raw`(?:SPEAKER|SPK|PERSON|USER|VOICE)_\d{1,4}`;
const handle = '[a-z][a-z0-9_.-]{1,29}';
const remark = String.raw`(?: ?[\[(][^\])\n]{1,40}[\])])?`;
const colon = String.raw`(?::(?:\*\*|__)?(?:\s+|$)|：(?:\*\*|__)?\s*)`;
const prefix = new RegExp(
  String.raw`^${decoration}(${properName}|${numbered}|${handle})${remark}(?:\*\*|__)?\s?${colon}`,
  'u',
);
/** What contacts are written like is judged by itself. */
const anyPrefix = new RegExp(String.raw`^${decoration}([^:：\n]{1,60})${colon}`);
/** `[09:14] <anna> hello`, as in IRC. */
const nickPrefix =
  /^\s*(?:([[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?)\s+)?<[@+%&~ ]?([\p{L}_][\p{L}\p{N}_|^`-]{1,29})>\s+(?=\S)/u;
const stamped = new RegExp(String.raw`^\s*${unseen}(?:${stamp}|${bracketStamp})`);

/**
 * The speaker at the start of a line; undefined when there is none.
 * @param hasUsers in a text with lines of a `User`, `Model` is the agent, as in transcripts of Gemini
 */
export function speakerOf(line: string, hasUsers = false): Speaker | undefined {
  const match = prefix.exec(line.slice(0, longestPrefix));
  const name = match?.[1];
  if (match === null || name === undefined) return contactOf(line) ?? nickOf(line);
  if (isLabel(name) && !(hasUsers && /^model$/i.test(name))) return undefined;
  const role = name.toLowerCase();
  return {
    name,
    isAgent: isAgentRole(name),
    isNamed: !roleSpeakers.has(role) && !pronouns.has(role) && /^\p{Lu}/u.test(name),
    prefixLength: match[0].length,
  };
}

function contactOf(line: string): Speaker | undefined {
  const match = anyPrefix.exec(line.slice(0, longestPrefix));
  const name = bareName(match?.[1] ?? '');
  if (match === null || name === '' || personsIn(name).some(isLabel)) return undefined;
  const isWrittenSo = isContactName(name);
  if (!isWrittenSo && !(isExported(line) && canBeStamped(name))) return undefined;
  const isNamed = isWrittenSo && /\p{Lu}|\p{Lo}/u.test(name);
  return { name, isAgent: false, isNamed, prefixLength: match[0].length, isContact: true };
}

/** The nick before a line, as in IRC. */
export function nickOf(line: string): Speaker | undefined {
  const match = nickPrefix.exec(line.slice(0, longestPrefix));
  const name = match?.[2];
  if (match === null || name === undefined || isLabel(name) || tags.has(name.toLowerCase())) return undefined;
  const isNamed = /^\p{Lu}/u.test(name);
  return { name, isAgent: false, isNamed, prefixLength: match[0].length };
}

/** Whether a line begins as in IRC; only with a time in front it is certain that the name is no tag. */
export function isByNick(line: string): 'timed' | boolean {
  const match = nickPrefix.exec(line.slice(0, longestPrefix));
  return match !== null && (match[1] === undefined || 'timed');
}

/** Who speaks in the lines below one that is only this name and a time. */
export function speakerOfHeader(name: string, line: string): Speaker | undefined {
  if (isLabel(name)) return undefined;
  const isNamed = !isByRole({ name }) && /^\p{Lu}|^\p{Lo}/u.test(name);
  return {
    name,
    isAgent: isAgentRole(name),
    isNamed,
    prefixLength: line.length,
    isContact: isContactName(name),
    isHeader: true,
  };
}

/** Whether a line begins with a date and a time as in exported chats: what is before its colon speaks. */
export function isExported(line: string): boolean {
  return stamped.test(line.slice(0, longestPrefix));
}

/** Whether a name is a role of the agent, such as `assistant`. */
export function isAgentRole(name: string): boolean {
  return agentSpeakers.has(name.toLowerCase());
}

/** Whether somebody is named by a role such as `user`, or not at all. */
export function isByRole({ name }: Pick<Speaker, 'name'>): boolean {
  return name === '' || roleSpeakers.has(name.toLowerCase());
}

/** Whether it is a thing, which neither speaks nor is anybody's name: `Preference: I like tea`, `Claim No: 88-121`. */
export function isThing(name: string): boolean {
  const [first = '', ...others] = name.toLowerCase().split(/[ _-]+/);
  const last = others.at(-1)?.replace(/\.$/, '');
  return last === undefined ? things.has(first) : fields.has(last);
}

/** "Dr.", "J.R." */
const abbreviated = /^(?:\p{L}{1,4}\.-?)+$/u;
const variant = /^(\p{Lu}\p{L}+) (?:\p{Lu}|\d{1,3})$/u;

/** The `Option` of `Option A` and `Option 2`; undefined for other names. */
export function variantOf({ name }: Speaker): string | undefined {
  return variant.exec(name)?.[1];
}

/** Whether a person can be told apart by a letter or a number: `Speaker 1`, but not `Ticket 77`. */
export function isPersonWord(word: string): boolean {
  return word === 'voice' || personWord(word, true) !== undefined;
}

/** Not `Bed 5` and `Ticket 77. Harriet Boyle`, unlike `Speaker 1`, `Dr. Ana Lima` and `Kaveh92`. */
export function canBePerson(name: string): boolean {
  const [first = '', ...others] = name.split(' ');
  if (others.length === 0) return true;
  if (/\d/.test(name) && !isPersonWord(first.toLowerCase())) return false;
  return ![first, ...others.slice(0, -1)].some((word) => word.endsWith('.') && !abbreviated.test(word));
}

/** Whether a sentence begins with any word before a colon. */
export function hasLabel(sentence: string): boolean {
  return prefix.test(sentence.slice(0, longestPrefix));
}

/** Whether it is one of the two sides of a conversation, which no word of a list or of a plan is: not `System` or `Client`. */
export function isSide({ name }: Speaker): boolean {
  return sides.has(name.toLowerCase());
}

/** How many words of a line stand before a colon as the sides of a conversation do. */
export function countSides(line: string): number {
  return line.match(sideLike)?.length ?? 0;
}

/** Whether it is `Me` or `You`, as in exported chats. In a plan, "You: book the hotel" is not said by anyone. */
export function isPronoun({ name }: Speaker): boolean {
  return pronouns.has(name.toLowerCase());
}

/** Whether it is a word that no one is called by, though it stands before a colon: `Lunch`, `Flight`, `Step 2`. */
export function isLabel(name: string): boolean {
  if (name === 'model') return false;
  const [first = '', ...others] = name.toLowerCase().split(' ');
  return (
    greetings.has(first) || (labels.has(first) && (others.length === 0 || others.every((word) => /^\d+$/.test(word))))
  );
}

/** Words before a colon that are not speakers. */
const labels = wordSet(`
absent abstract action actions activities activity address advice afternoon age agenda aim allergies allergy also answer appendix arrival
assumption attachment attachments attendees background bcc because birthday bonus breakfast budget caution caveat cc chapter city comment
company conclusion cons contents context cost country date day deadline december definition departure description destination details
diagnosis diet dinner disclaimer discussion distance dob drinks due duration edit email employer end error evening event example examples
extra facts february figure file final finally first fix flight flights food friday from fwd gender goal goals he height her hint hobbies
hobby hotel how however http https idea important info ingredients input instructions introduction issue it january job july keywords
language languages lesson link links list location lunch march medication medications mission model monday month morning name next nickname
night no note notes november objective occupation october option options output overview owner part participants password phone place plan
pre present price priority problem profession project projects pros ps purpose question quote rating re reason recap received recipe
reference references reminder requirement requirements restaurant result results risk risks room rule salary saturday schedule score second
section sent september size snack source sources spoiler status step steps subject subtitle summary sunday symptoms table task tasks team
that then there they third this thursday time tip tips title to today todo together tomorrow topic topics total train transport treatment
tuesday type update url username version vs warning we weather website wednesday week weekend weight what when where which who why year yes
yesterday
`);

/** More words before a colon, which belong to their line. */
const things = wordSet(`
  blocker blockers bug bugs calendar constraint constraints decision decisions fact incident incidents npc npcs preference preferences severity
  symptom verdict
`);

/** Last words of labels of forms, as in `Order ID` and `Policy Holder`. */
const fields = wordSet(`
  account address amount balance cause city class code comment comments condition contact cost count country currency date deadline deposit
  description details email fee field file holder iban id issue item items language length level limit link list location method mode model name
  no note notes number office option order period phone place plan policy price purpose rate reason ref reference region report request
  result results role score size source status subject summary tax terms time title total type unit url value version weight zip
`);

/** Names in angle brackets that are tags of HTML. */
const tags = wordSet(`
  abbr article aside audio body br button canvas code date dd details dialog div dl dt em email figure footer form head header hr html id iframe
  img input key label legend li link main meta name nav note ol option output path placeholder pre section script select slot small span strong
  style sub summary sup svg table tbody td template text textarea th thead time title tr type ul url user assistant system value video warning
`);

/** First words of a salutation: "Dear Ms. Smith:". */
const greetings = wordSet('dear greetings hello hey hi thank thanks');

/** Months that are names of persons too. Lower case. */
export const monthsLikeNames = wordSet('april may june august');

/** Names of the agent as a speaker. */
const agentSpeakers: ReadonlySet<string> = new Set([
  ...wordSet('agent ai assistant bot chatbot model'),
  'ai agent',
  'ai assistant',
]);

const sides: ReadonlySet<string> = new Set([...agentSpeakers, ...wordSet('caller customer human user')]);
const sideLike = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${[...sides].join('|')})(?:\*\*|__)?\s?[:：]`, 'giu');

const pronouns = wordSet('me you');

/** Roles in a conversation, not names of persons. */
const roleSpeakers: ReadonlySet<string> = new Set([
  ...sides,
  ...wordSet('client developer interviewer operator speaker system tool'),
]);
