import { type Entity, type EntityType, maxEntities } from '../ports.ts';
import { commonWords } from '../text/word-lists.ts';
import { personsIn } from './contact-names.ts';
import { entityTypeOf } from './entity-type.ts';
import { notNames, speakersLikeWords, wordsLikeNames } from './entity-words.ts';
import { type LexiconEntry, limitedLookUp } from './lexicon.ts';
import { type Name, type NameSpan, nameIn, nameSpans, withoutTitles } from './names.ts';
import { canBePerson, type Speaker } from './speaker.ts';

/** Finds the names in the facts of one item, in order: a name within a sentence is recognised at the start of later ones. */
export interface EntityFinder {
  find(text: string, speakers: readonly Speaker[]): Entity[];
  /** The same, and what may be names. */
  read(text: string, speakers: readonly Speaker[]): FoundNames;
}

export interface FoundNames {
  readonly entities: Entity[];
  /** Words at the start of sentences that may be names or not. */
  readonly possibleNames: readonly string[];
}

/** At most this many names of one item are looked up, since a look-up takes 0.3 ms; further names are judged by their words. */
const maxLookUps = 5_000;
const notLookedUp: LexiconEntry = { type: undefined, isPlainWord: true, isDescription: false };

export function createEntityFinder(lexicon: (name: string) => LexiconEntry): EntityFinder {
  const seenInside = new Set<string>();
  let lookUps = 0;
  const lookUp = (name: string) => {
    lookUps += 1;
    return lookUps > maxLookUps ? notLookedUp : lexicon(name);
  };
  const lookUpSpeaker = limitedLookUp(lexicon);
  const read = (text: string, speakers: readonly Speaker[]) => {
    const found = createEntityList();
    const possibleNames: string[] = [];
    for (const speaker of speakers) {
      for (const written of speaker.isContact ? personsIn(speaker.name) : [speaker.name]) {
        const name = withoutTitles(written);
        const type = speaker.isNamed ? speakerType(name, lookUpSpeaker(name)) : undefined;
        if (type !== undefined) found.add(name, type);
      }
    }
    const spans = nameSpans(text);
    const isAttendance = listsPersons(text);
    const isUninformative = isFullOfCapitals(text, spans);
    for (const span of spans) {
      const name = nameIn(span, lookUp);
      if (name === undefined) continue;
      if (!name.isInitial && !isUninformative) seenInside.add(name.text);
      const known = entityTypeOf(name.text, name.before, lookUp);
      const type = known ?? (isAttendance && isOfPerson(name) ? 'PERSON' : undefined);
      if (isSure(name, type, seenInside)) found.add(name.text, type ?? 'OTHER');
      else possibleNames.push(name.text);
    }
    return { entities: found.entities(), possibleNames };
  };
  return { read, find: (text, speakers) => read(text, speakers).entities };
}

/** Such as `Hope Solo`, but not `For Case 1`. */
const isOfSeveralWords = /^[^\d ]+ \D+$/;
/** Such as `Bed 5`. */
const isNumbered = /^\S+ \d+$/;

/**
 * Who speaks is a person, unless the lexicon knows better. Undefined for a letter, a plain word or a weekday, which are no names,
 * and for what no person is called, `Ticket 77. Harriet Boyle`.
 */
function speakerType(name: string, entry: LexiconEntry | undefined): EntityType | undefined {
  const key = name.toLowerCase();
  if (key.length < 2) return undefined;
  const isWord = notNames.has(key) || (entry?.isPlainWord && !isOfSeveralWords.test(key) && !wordsLikeNames.has(key));
  if (isWord && !speakersLikeWords.has(key)) return undefined;
  if (entry?.type !== undefined && entry.type !== 'PLACE') return entry.type;
  // A place does not speak; a person named after one does.
  if (canBePerson(name)) return 'PERSON';
  return isNumbered.test(name) ? 'OTHER' : undefined;
}

const attendance =
  /^[\s*_>•-]{0,8}(?:present|attend(?:ees|ance|ing|ed)|participants?|in attendance|absent|apologies|excused|regrets|invite(?:d|es)|guests?|members|panel(?:l?ists)|passengers?|(?:(?:full|guest|passenger|patient|customer|client|contact|tenant|employee) )?name|policy ?holder|contact person|emergency contact)(?: \([^)\n]{1,20}\))?[*_]{0,2}\s?[:：]/iu;
const inBrackets = /\([^)\n]{0,60}\)/g;
const smallInNames = /(?<![\p{L}\p{M}'’-])(?!(?:and|de|del|la|di|da|van|von|der|den|bin|al)(?![\p{L}\p{M}]))\p{Ll}/u;
const longestAttendance = 1_000;

/** Whether it is a label for persons and nothing but names: "Present: Kwame Mensah (chair), Yuki Sato". */
function listsPersons(text: string): boolean {
  if (text.length > longestAttendance) return false;
  const label = attendance.exec(text)?.[0];
  return label !== undefined && !smallInNames.test(text.slice(label.length).replace(inBrackets, ''));
}

/** `Kwame Mensah`, but neither `Product Team` nor the label, which has no word before it. */
function isOfPerson({ text, before }: Name): boolean {
  const isInList = /\p{L}/u.test(before);
  return (
    isInList && isOfSeveralWords.test(text) && !text.split(' ').some((word) => commonWords.has(word.toLowerCase()))
  );
}

/** Each name once, at most `maxEntities`. */
export function createEntityList() {
  const byName = new Map<string, Entity>();
  return {
    add: (name: string, type: EntityType) => {
      const key = name.toLowerCase();
      if (byName.size < maxEntities && !byName.has(key)) byName.set(key, { name, type });
    },
    entities: () => [...byName.values()],
  };
}

const smallWord = /(?<![\p{L}\p{M}\p{N}])\p{Ll}/gu;
const germanWord = /\b(?:der|die|das|und|nicht|ist|ein|eine|mit|von|zu|auf|im)\b/g;

/** Whether capital letters do not indicate names: in a heading, or in German, where every noun has one. */
function isFullOfCapitals(text: string, spans: readonly NameSpan[]): boolean {
  const inNames = spans.reduce(
    (sum, { name, isInitial, isInHeading }) => sum + wordsOf(name) - (isInitial && !isInHeading ? 1 : 0),
    0,
  );
  if (inNames < 2) return false;
  const small = text.match(smallWord)?.length ?? 0;
  return inNames > 2 * small || new Set(text.match(germanWord)).size > 2;
}

/** Without initials and titles: "Prof. J. K. Smith" has one word. */
function wordsOf(name: string): number {
  return name.split(' ').filter((word) => !word.endsWith('.')).length;
}

/** A capital letter at the start of a sentence is no evidence; a known name is, unless it is also a common word. */
function isSure(name: Name, type: EntityType | undefined, seenInside: ReadonlySet<string>): boolean {
  if (seenInside.has(name.text)) return true;
  return type !== undefined && !(name.isInitial && wordsLikeNames.has(name.text.toLowerCase()));
}
