import { stopWords, wordSet } from '../../text/word-lists.ts';
import type { Gender } from '../lexicon.ts';
import { type PersonWord, personWord } from '../person-words.ts';

/** A person or an animal that a text mentions with a common noun. */
export interface NounMention {
  readonly noun: string;
  readonly gender: Gender | undefined;
  /** "my" or "our": whose it is is the speaker's. False for what may be no person. */
  readonly isSpeakers: boolean;
}

/** The words of a noun phrase in lower case, and where it starts: "my brother's new boss". */
interface Phrase {
  readonly start: number;
  readonly words: readonly string[];
}

/** A noun for a person, with its phrase up to it: "boss" in "my brother's new boss". */
interface FoundNoun extends PersonWord {
  readonly noun: string;
  readonly phrase: Phrase;
  readonly end: number;
}

const word = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
/** Between two words of a phrase; a plural may have an apostrophe. */
const gap = /^['’]?\s$/;
/** In words. */
const longestPhrase = 6;

const articles = wordSet('a an the this that another some one my our your his her their');
const speakersOwn = wordSet('my our');
/** Stop words that do not end a phrase: "an only child". */
const withinPhrases = wordSet('only own same other most more few very');
const becoming = wordSet('become becomes becoming became');
/** "My late husband" can be "my husband" in the next sentence; "my former boss" is not "my boss". */
const kinAdjectives = wordSet(
  'best older younger elder little big new old twin only good close dear late eldest youngest oldest',
);

const readAround = 100;
/** "My friend Anna" and "my friend, Anna," are Anna, who is counted as a name; "the dog's" is not the dog. */
const hasName =
  /^(?:['’]| (?!I\b)\p{Lu}|, (?!I\b)\p{Lu}[\p{L}\p{M}'’-]{0,29}(?: \p{Lu}[\p{L}\p{M}'’-]{0,29}){0,2}(?![\p{L}\p{M}'’-]| [\p{L}\p{N}]))/u;
const adverb = '(?: (?:also|now|still|not|once|just|such|quite|really|currently|actually|only)){0,2}';
const impersonal = String.raw`(?<!\b(?:[Tt]here|[Tt]his|[Tt]hat|[Ii]t|[Hh]ere) ?)`;
/** What follows says what somebody is. "There is a nurse" and "It was the driver" mention a person. */
const predicate = new RegExp(
  String.raw`(?:${impersonal}\b(?:is|am|was|are|were)|\b(?:be|been|being|become|becomes|became|becoming)|(?<!\b(?:soon|long|well|far) )\bas)${adverb} $|${impersonal}['’](?:s|m) $`,
);
/** Not in "I like my boss". */
const comparison = /\blike $/;
const furtherPredicate = /^(?:,|,? (?:and|or)) $/;
/** Persons that are listed go on with "and": "Tom, a baker, and Anna". */
const appositionEnd = /^(?:[.;!?)]|,(?! (?:and|or)\b)|$)/;

/**
 * The persons of a text that have no name there, each mention. "Maria is a nurse" and "Maria, a nurse, ..." mention no
 * second person.
 * @param names of persons in the text
 */
export function nounMentions(text: string, names: readonly string[] = []): NounMention[] {
  const mentions: NounMention[] = [];
  let mentionEnd = 0;
  let predicateEnd = 0;
  const isApposition = ({ phrase: { start }, end }: FoundNoun) =>
    appositionEnd.test(text.slice(end, end + readAround)) &&
    (text.slice(mentionEnd, start) === ', ' ||
      names.some((name) => text.startsWith(`${name}, `, start - name.length - 2)));
  const isDescription = (found: FoundNoun) => {
    const { start, words } = found.phrase;
    const before = text.slice(Math.max(0, start - readAround), start);
    if (predicate.test(before)) return true;
    const isIndefinite = words[0] === 'a' || words[0] === 'an';
    if (comparison.test(before)) return isIndefinite || !isDetermined(words);
    return isIndefinite && (furtherPredicate.test(text.slice(predicateEnd, start)) || isApposition(found));
  };
  for (const found of nounsIn(text)) {
    const { noun, gender, end } = found;
    if (hasName.test(text.slice(end, end + readAround))) continue;
    if (isDescription(found)) {
      predicateEnd = end;
    } else {
      mentions.push({ noun, gender, isSpeakers: isSpeakers(found) });
      mentionEnd = end;
    }
  }
  return mentions;
}

function isSpeakers({ phrase: { words }, isGuess }: FoundNoun): boolean {
  const [owner = '', adjective] = words.slice(0, -1);
  return !isGuess && speakersOwn.has(owner) && words.length < 4 && (!adjective || kinAdjectives.has(adjective));
}

/** The nouns for persons, in order. Of two that follow each other in a phrase the last one counts: "the dog walker". */
function* nounsIn(text: string): Generator<FoundNoun> {
  let phrase: Phrase | undefined;
  let pending: FoundNoun | undefined;
  let end = 0;
  for (const { 0: written, index: start } of text.matchAll(word)) {
    const open = gap.test(text.slice(end, start)) ? phrase : undefined;
    phrase = extended(open, written, start);
    end = start + written.length;
    const own = phrase ?? { start, words: [written] };
    const found = personWord(written, isDetermined(own.words));
    if (pending !== undefined && (found === undefined || open === undefined || own.start !== pending.phrase.start)) {
      yield pending;
    }
    pending = found && { ...found, noun: written.toLowerCase(), phrase: own, end };
  }
  if (pending !== undefined) yield pending;
}

/** The phrase to which a word belongs. An article begins one, and so does an owner: "Anna's boss". */
function extended(phrase: Phrase | undefined, written: string, start: number): Phrase | undefined {
  const key = written.toLowerCase().replaceAll('’', "'");
  const first = { start, words: [key] };
  if (articles.has(key)) return first;
  if ((stopWords.has(key) && !withinPhrases.has(key)) || becoming.has(key)) return undefined;
  const isOwner = isOwnerWord(key);
  if (phrase !== undefined && phrase.words.length < longestPhrase && !(isOwner && written[0] !== key[0])) {
    return { start: phrase.start, words: [...phrase.words, key] };
  }
  return isOwner || kinAdjectives.has(key) ? first : undefined;
}

function isDetermined(words: readonly string[]): boolean {
  const before = words.slice(0, -1);
  return articles.has(before[0] ?? '') || before.some(isOwnerWord);
}

function isOwnerWord(key: string): boolean {
  return key.endsWith("'s");
}

const lastWord = /[\p{L}\p{M}'’-]{1,20},? $/u;

/** The gender of a name by the word before it: `my husband Rui`. */
export function genderBefore(before: string): Gender | undefined {
  const [found = ''] = lastWord.exec(before.slice(-readAround)) ?? [];
  return personWord(found.replace(/,? $/, ''), false)?.gender;
}

const introduction = /(?:\b[Mm]y name is|\bI am|\bI['’]m|\b[Cc]all me) $/;

/** Whether the name after a text is that of the speaker: `My name is Ana`. */
export function introducesSpeaker(before: string): boolean {
  return introduction.test(before.slice(-20));
}
