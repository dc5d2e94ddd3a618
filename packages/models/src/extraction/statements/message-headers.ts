import type { Post } from '../../dates/dated-lines.ts';
import { isRecord } from '../../dates/label-kinds.ts';
import { commonWords } from '../../text/word-lists.ts';
import type { LexiconEntry } from '../lexicon.ts';
import type { Passage } from '../others-text.ts';
import { canBePerson, isLabel, isThing, type Speaker } from '../speaker.ts';
import { type Candidate, candidatesIn } from './header-lines.ts';
import { addresses, soundsSpoken } from './kinds.ts';

const emptyLine = /\n[ \t\r]*\n[ \t]*$/;
const lowerCase = /(?<![\p{L}\p{M}])\p{Ll}{3,30}(?![\p{L}\p{M}])/gu;
const longestGap = 50;

/** What is known of a name. */
export interface NameKnowledge {
  typeOf(name: string): LexiconEntry['type'];
  isAgent(name: string): boolean;
  /** Whether it is the user, the assistant or the agent by its own name. */
  isParty(name: string): boolean;
}

/** The lines of an item that are only a speaker, by where they begin. */
export interface HeaderReading {
  has(start: number): boolean;
  /** In order. */
  readonly posts: readonly Post[];
  /** Who speaks below a line; undefined for any other line. */
  at(start: number): Speaker | undefined;
  /** Where the first one is; infinite when there is none. */
  readonly first: number;
  /** Whether a line is above another one of them: then the message goes on up to that one. */
  isAboveAnother(start: number): boolean;
  /**
   * Whether the message above a line is over: the last one ends with an empty line, as notes may follow; each one above a line
   * of the same form that nobody speaks below, such as one without text.
   */
  isOver(start: number): boolean;
  /**
   * Whose words begin at a line, even where it is not known who says what. Somebody may post below a known name and a time, or an
   * unknown one that does not look like a title, if two of these tell of a post: it has several words, the form is clear, the
   * time has a day, AM or PM. Rows of a schedule, directly below each other, are none. Below the first post, only what is below
   * the agent's own name is its own, up to the next such line.
   */
  passages(): Passage[];
}

/**
 * The lines of a text that are only a name and a time, each directly above what was said then, as in Slack, Discord, Teams,
 * Telegram and Otter. A schedule looks alike: so most of these lines must have text below, and at least half of those the
 * known name of a person, a party of the conversation, or a name that stands in several lines of a text with several names. A
 * place is none. Where only one blank is before the time, there must be two persons, each with text below, and no rows.
 */
export function createHeaderReading(text: string, names: NameKnowledge): HeaderReading {
  const candidates = candidatesIn(text);
  const lines = linesOfChat(candidates, names, text);
  const posts = headersIn(lines, names);
  const headers = new Map(
    posts.flatMap(({ start, otherLines = [], speaker }) => [start, ...otherLines].map((at) => [at, speaker] as const)),
  );
  const [first = Number.POSITIVE_INFINITY] = headers.keys();
  const last = [...headers.keys()].at(-1) ?? 0;
  const ends = new Set(lines.filter((each) => !isPlace(each, names)).map(({ start }) => start));
  return {
    has: (start) => headers.has(start),
    posts,
    at: (start) => headers.get(start),
    first,
    isAboveAnother: (start) => start < last,
    isOver: (start) =>
      ends.has(start) || (start > last && emptyLine.test(text.slice(Math.max(0, start - longestGap), start))),
    passages: () => passagesOf(candidates, names, ({ start }) => headers.has(start)),
  };
}

/** Those that may be headers: not what may be the row of a schedule within a message. */
function linesOfChat(candidates: readonly Candidate[], names: NameKnowledge, text: string): Candidate[] {
  const isTalk = isLikeTalk(candidates, names, text);
  const isLikeName = createNameReading(candidates, names);
  const certain = candidates.filter(
    (each) =>
      !each.isLoose && (!each.isLikeAppointment || isTalk) && (each.otherLines === undefined || isLikeName(each)),
  );
  const unclear = certain.filter(({ isClear }) => !isClear);
  const persons = new Set(unclear.filter((each) => isKnown(each, names)).map(({ speaker }) => speaker.name));
  const isChat = persons.size > 1 && unclear.every(({ hasText }) => hasText);
  return certain.filter(({ isClear }) => isClear || isChat);
}

/**
 * Whether persons take turns, of whom somebody is known or addressed. Appointments with several persons rarely recur, their
 * times are round, and what is said follows a time before a name, unless the name has words of the text, as `Disk Cleaned`.
 */
function isLikeTalk(candidates: readonly Candidate[], names: NameKnowledge, text: string): boolean {
  const turns = candidates.filter(({ isLoose }) => !isLoose);
  const persons = new Set(turns.map(({ speaker }) => speaker.name));
  if (persons.size < 2 || persons.size === turns.length) return false;
  const unsure = turns.filter(({ isLikeAppointment }) => isLikeAppointment);
  if (unsure.every(({ isRound }) => isRound)) return false;
  const isSomebodyThere = unsure.some((each) => isKnown(each, names) || addresses.test(each.said));
  const reversed = unsure.filter(({ otherLines }) => otherLines === undefined);
  if (!isSomebodyThere && (reversed.length < unsure.length || haveWordsOf(text, reversed))) return false;
  return reversed.every(({ said }) => soundsSpoken.test(said));
}

function haveWordsOf(text: string, candidates: readonly Candidate[]): boolean {
  const words = new Set(text.match(lowerCase));
  return candidates.some(({ speaker }) => speaker.name.split(' ').some((word) => words.has(word.toLowerCase())));
}

/**
 * The last line of a message may look like a name above the time of the next one, but not where somebody who is known takes
 * turns in this form.
 */
function createNameReading(candidates: readonly Candidate[], names: NameKnowledge): (candidate: Candidate) => boolean {
  const seen = new Set<string>();
  const recurring = new Set<string>();
  let isForm = false;
  for (const each of candidates) {
    const { name } = each.speaker;
    if (seen.has(name)) {
      recurring.add(name);
      isForm ||= each.otherLines !== undefined && isKnown(each, names);
    }
    seen.add(name);
  }
  return (candidate) => {
    const { name } = candidate.speaker;
    return isForm || recurring.has(name) || isKnown(candidate, names) || (name.includes(' ') && !isLikeTitle(name));
  };
}

function headersIn(lines: readonly Candidate[], names: NameKnowledge): Candidate[] {
  const found = lines.filter(({ hasText }) => hasText);
  const count = new Map<string, number>();
  for (const { speaker } of found) count.set(speaker.name, (count.get(speaker.name) ?? 0) + 1);
  const recurs = ({ speaker, isClear }: Candidate) => isClear && count.size > 1 && (count.get(speaker.name) ?? 0) > 1;
  const people = found.filter((each) => !isPlace(each, names));
  const known = people.filter((each) => isKnown(each, names) || recurs(each));
  const isTalk = known.length > 0 && known.length * 2 >= found.length && found.length * 2 > lines.length;
  return isTalk ? people : [];
}

function passagesOf(
  candidates: readonly Candidate[],
  names: NameKnowledge,
  isHeader: (candidate: Candidate) => boolean,
): Passage[] {
  const loose = candidates.filter(({ isLoose }) => isLoose);
  const isSchedule = loose.filter(({ isRow }) => isRow).length * 2 >= loose.length;
  const isPost = (each: Candidate) =>
    isHeader(each) ||
    (isKnown(each, names) ? !(isSchedule && each.isLoose) : !each.isInRows && isLikePost(each, names));
  let isBelowPost = false;
  return candidates.flatMap((each) => {
    const isOthers = !names.isAgent(each.speaker.name);
    isBelowPost ||= isOthers && isPost(each);
    return isBelowPost || !isOthers ? [{ start: each.start, isOthers }] : [];
  });
}

function isKnown({ speaker }: Candidate, { typeOf, isParty }: NameKnowledge): boolean {
  return isParty(speaker.name) || typeOf(speaker.name) === 'PERSON';
}

function isPlace({ speaker }: Candidate, { typeOf }: NameKnowledge): boolean {
  return typeOf(speaker.name) === 'PLACE';
}

function isLikePost(candidate: Candidate, names: NameKnowledge): boolean {
  const { name } = candidate.speaker;
  const isClear = candidate.isClear && candidate.otherLines === undefined && !candidate.isLikeAppointment;
  const signs = [name.includes(' '), isClear, candidate.isPrecise].filter((each) => each);
  return signs.length > 1 && !isLikeTitle(name) && !isPlace(candidate, names);
}

/** `Daily Log` and `Flight LH123`, but not `Kestrel` and `Xiuying Zhao`. */
function isLikeTitle(name: string): boolean {
  if (isThing(name) || !canBePerson(name) || isRecord(name)) return true;
  return name.split(' ').some((word) => isLabel(word) || commonWords.has(word.toLowerCase()));
}
