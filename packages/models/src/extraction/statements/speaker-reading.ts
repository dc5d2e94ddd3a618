import type { ItemRole } from '../../ports.ts';
import { commonWords } from '../../text/word-lists.ts';
import { isLikeHeading, personsIn } from '../contact-names.ts';
import { type LexiconEntry, limitedLookUp } from '../lexicon.ts';
import { createOthersReading, passagesIn } from '../others-text.ts';
import {
  isAgentRole,
  isByNick,
  isByRole,
  isExported,
  isPersonWord,
  isPronoun,
  isThing,
  monthsLikeNames,
  type Speaker,
  type SpeakerReading,
  speakerOf,
  variantOf,
} from '../speaker.ts';
import { isQuestion, soundsSpoken } from './kinds.ts';
import { createMailReading } from './mail-authors.ts';
import { createHeaderReading } from './message-headers.ts';
import { decorated, listed, nameKey, namesInTurns, recurringNames } from './repeated-names.ts';
import { firstLineOf, turnsWithin } from './shared-line.ts';
import { isFiniteVerb, plainWords } from './word-forms.ts';

/** See `ExtractionItem`. */
export interface ItemSpeakers {
  readonly role?: ItemRole | undefined;
  readonly agentName?: string | undefined;
}

/** Entries of lists, not quotations and headings. */
const entry = /^\s*(?:[-•]|\*(?!\*)|\d{1,3}[.)]\s)/;
/** `[10:45] Mei: Hello` */
const timed = /^\s*[[(][^\])\n]*\d[:.]\d{2}/;
/** A line that goes on with an entry of a list. */
const indented = /^[ \t]{2,}(?![-*•+–]|\d{1,3}[.)])\S/;
const user = /^[ \t]*(?:\*\*)?user(?:\*\*)?\s?[:：]/im;
const assistant = /^[ \t]*(?:\*\*)?assistant(?:\*\*)?\s?[:：]/im;
const greeting = '(?:Yes|Yeah|No|Hi|Hello|Hey|Sure|Ok|Okay|Well|Thanks|So|And|But|Oh|Actually|Sorry|Great)';
const beginsWithI = new RegExp(
  String.raw`^(?:${greeting}(?: \p{Lu}\p{L}+)?[,.!]? ){0,2}(?:I|My|We|Our)(?![\p{L}.])`,
  'u',
);
const saysI = /(?<!\p{L})(?:[Ii]|[Mm]y)(?![\p{L}.])/u;
const asks = /[?？](?![\w/])/;
/** Can end a post, unlike `AI: overrated`, which is what the post is about. */
const mainRole = /^(?:user|assistant)$/i;
/** Who speaks in the lines after one that begins with a label or with an unknown name. */
const unknownSpeaker: Speaker = { name: '', isAgent: false, isNamed: false, prefixLength: 0, isUncertain: true };

/**
 * Finds out who speaks in each line of an item. The rules, with examples, are in `docs/facts-by-rules.md#speakers`. In short, a
 * prefix of a line counts more than the role of the item, but in an item of a user, of a tool or of the system no one speaks as
 * the agent. Most words before a colon may be labels (`Flights: TP123`, `Manager: Tom`). A word that may be one belongs to its
 * line, and no one is known to say what follows, except that who speaks by role goes on.
 * @param lexicon what is known of a name
 */
export function createSpeakerReading(
  text: string,
  { role, agentName }: ItemSpeakers,
  lexicon: (name: string) => LexiconEntry,
): SpeakerReading {
  const isOthers = role !== undefined && role !== 'assistant';
  const ownName = agentName === undefined ? undefined : nameKey(agentName);
  const lookUp = limitedLookUp(lexicon);
  const hasUsers = user.test(text);
  const hasSides = hasUsers && assistant.test(text);
  const isOneLine = !text.trim().includes('\n');
  const spokeFirst = new Set<string>();
  let talking: ReadonlySet<string> | undefined;
  const initial = role === undefined ? undefined : speakerByRole(role);
  let current = initial;
  let isRoleUsed = role !== undefined;
  let recurring: ReadonlySet<string> | undefined;
  let isAnswer = false;
  let wasShared = false;
  let isByOthers: ((position: number) => boolean) | undefined;
  let isTranscript = false;

  const isMonth = ({ name }: Speaker) => monthsLikeNames.has(name.toLowerCase());

  const typeOf = (name: string) => lookUp(personsIn(name)[0] ?? '')?.type;

  const isPerson = (name: string) => typeOf(name) === 'PERSON';

  const isAgent = (name: string) => isAgentRole(name.replace(/^Your /, '')) || nameKey(name) === ownName;

  const isParty = (name: string) => mainRole.test(name) || nameKey(name) === ownName;

  const headers = createHeaderReading(role === 'assistant' ? '' : text, { typeOf, isAgent, isParty });

  const mails = createMailReading(
    role === 'assistant' ? '' : text,
    (name) => !isAgent(name) && typeOf(name) !== 'PLACE',
  );

  const isLabel = ({ name }: Speaker) => isThing(name) && !isPerson(name);

  function isTalking(found: Speaker): boolean {
    const key = nameKey(found.name);
    if (isByRole(found) || key === ownName) return true;
    talking ??= namesInTurns(text, hasUsers, lookUp);
    return talking.has(key);
  }

  function isCertain(found: Speaker): boolean {
    return (isPerson(found.name) && !isMonth(found)) || isTalking(found);
  }

  /** Undefined when it may be a label. */
  function isSpeaker(found: Speaker, line: string): boolean | undefined {
    const isDecorated = decorated.test(line);
    if (found.isNamed && current?.isNamed === false && !current.isUncertain && isDecorated) return false;
    if (isCertain(found) || spokeFirst.has(nameKey(found.name)) || timed.test(line)) return true;
    if (isExported(line)) return true;
    const nick = isByNick(line);
    if (nick !== false) return nick === 'timed';
    const said = firstLineOf(line, found);
    const goesOn = current !== undefined && !current.isUncertain && isByRole(current);
    if (found.isContact) {
      if (!isLikeHeading(found.name) && beginsTurn(found, said)) return true;
      return goesOn || current?.isAgent || listed.test(line) ? false : undefined;
    }
    if (isLabel(found)) return !saysI.test(said) && (goesOn || listed.test(line)) ? false : undefined;
    if (beginsTurn(found, said)) return true;
    if (isMonth(found) || lookUp(found.name)?.type === 'PLACE') return false;
    if (current?.isAgent) return saysI.test(said) || (role === undefined && asks.test(said));
    if (role !== undefined || (isRoleUsed && isDecorated)) return false;
    if (listed.test(line)) return saysI.test(said);
    if (!canBeLabel(found, said) || isAnswer || soundsSpoken.test(said)) return true;
    if (isOneLine && isSentence(said)) return true;
    recurring ??= recurringNames(text, hasUsers);
    if (recurring.has(nameKey(found.name))) return true;
    return goesOn ? false : undefined;
  }

  /** `Manager` and `Delivery Window`, but neither `mark_92` nor `Kwame Mensah` before a sentence. */
  function canBeLabel({ name, isNamed }: Speaker, said: string): boolean {
    const words = name.split(' ');
    if (words.length === 1) return isNamed || !/\d/.test(name);
    if (words.some((word) => lookUp(word)?.type === 'PERSON') || isPersonWord(words[0]?.toLowerCase() ?? ''))
      return false;
    return (
      !isSentence(said) ||
      lookUp(name)?.isPlainWord === true ||
      words.some((word) => commonWords.has(word.toLowerCase()))
    );
  }

  /** `Option A` and `Option B` of one line are no persons, unlike `Speaker A` and `Anna B`. */
  function isOption(found: Speaker): boolean {
    const word = variantOf(found);
    return word !== undefined && !isPersonWord(word.toLowerCase()) && lookUp(word)?.type !== 'PERSON';
  }

  function headerIn(start: number): Speaker | undefined {
    const author = mails.changeAt(start);
    if (author)
      current = { name: author, isAgent: false, isNamed: true, prefixLength: 0, isHeader: true, isMail: true };
    else if (author === null && current?.isMail) current = initial;
    if (current?.isHeader && !current.isMail && headers.isOver(start)) current = unknownSpeaker;
    const found = headers.at(start);
    if (found === undefined) return undefined;
    current = { ...found, isAgent: !isOthers && (found.isAgent || nameKey(found.name) === ownName) };
    return current;
  }

  /** Whether a line below one of a name and a time is said by somebody else. */
  function endsMessage(line: string, start: number): boolean {
    if (isExported(line)) return true;
    const found = listed.test(line) ? undefined : speakerOf(line, hasUsers);
    if (found === undefined) return false;
    return headers.isAboveAnother(start) ? isParty(found.name) && (isTranscript || hasSides) : isCertain(found);
  }

  /** Whether what begins with a name is within a post, such as a quotation. */
  function isQuoted({ name }: Speaker, line: string, start: number): boolean {
    if (isExported(line) || start < headers.first) return false;
    return headers.isAboveAnother(start) ? !isTranscript : current?.isHeader === true && !isParty(name);
  }

  function speakerIn(line: string, start: number, isShared: boolean): Speaker | undefined {
    const header = headerIn(start);
    if (header !== undefined || (current?.isHeader && !endsMessage(line, start))) return header;
    if (current?.isUncertain && !(current.isNamed && indented.test(line))) current = unknownSpeaker;
    const found = speakerOf(line, hasUsers);
    if (found === undefined && current !== undefined && !isByRole(current) && isExported(line))
      current = unknownSpeaker;
    if (found !== undefined && isShared && isOption(found)) {
      if (current !== undefined && !isByRole(current)) current = unknownSpeaker;
      return undefined;
    }
    const speaks = found !== undefined && isSpeaker(found, line);
    if (found === undefined || speaks === false) return undefined;
    if (speaks === undefined) {
      current = { ...found, isAgent: false, isNamed: false, prefixLength: 0, isUncertain: true };
      return current;
    }
    isRoleUsed ||= isByRole(found);
    if (!isRoleUsed) spokeFirst.add(nameKey(found.name));
    isTranscript ||= isParty(found.name) && start < headers.first;
    const isInPost = isQuoted(found, line, start);
    const isOwn = !isOthers && !isInPost && (found.isAgent || nameKey(found.name) === ownName);
    const isListed = entry.test(line) && !isByRole(found) && !isOwn;
    const isUncertain = isInPost || isByNick(line) !== false || (isListed && !saysI.test(firstLineOf(line, found)));
    current = { ...found, isAgent: isOwn, isUncertain };
    return current;
  }

  return {
    current: () => current,
    turnsWithin: (line) => turnsWithin(line, hasUsers),
    isByOthers: (position) => {
      isByOthers ??= createOthersReading([...passagesIn(text, isAgent, isPerson), ...headers.passages()]);
      return isByOthers(position);
    },
    read: (line, start, isShared = false) => {
      if (wasShared) current = unknownSpeaker;
      const speaker = speakerIn(line, start, isShared);
      wasShared = isShared && speaker !== undefined;
      isAnswer = current?.isUncertain !== true && current !== undefined && isQuestion(line);
      return speaker;
    },
    isHeader: headers.has,
    posts: headers.posts,
    isTurn: (line, start) => {
      if (headers.has(start) || mails.isChange(start)) return true;
      const found = speakerOf(line, hasUsers);
      if (found === undefined) return false;
      return isExported(line) || isTalking(found) || beginsTurn(found, firstLineOf(line, found));
    },
  };
}

/** `Maya: I moved`, also in a text whose other lines are known to be said by someone. */
function beginsTurn(found: Speaker, said: string): boolean {
  return (found.isNamed || found.isContact === true || isPronoun(found)) && beginsWithI.test(said);
}

/** Whether a text has a verb or the end of a sentence, unlike what stands after most labels. */
function isSentence(text: string): boolean {
  return /\p{Ll}[.…]/u.test(text) || plainWords(text).some((word) => word.includes("'") || isFiniteVerb(word));
}

function speakerByRole(role: ItemRole): Speaker {
  return { name: '', isAgent: role === 'assistant', isNamed: false, prefixLength: 0 };
}
