import nlp from 'compromise/two';
import type { EntityType } from '../ports.ts';
import { wordSet } from '../text/word-lists.ts';
import { cachedByWord } from '../text/words.ts';

/** The entry of compromise's lexicon for a name. */
export interface LexiconEntry {
  /** Undefined when the name is not in the lexicon. */
  readonly type: EntityType | undefined;
  /** The first word is a verb, an adverb, a pronoun or the like, which is no name at the start of a sentence. */
  readonly isPlainWord: boolean;
  /** The first word tells what somebody is: an adjective, the people of a country, or an occupation. */
  readonly isDescription: boolean;
  /** Of a person whose first name usually has one. */
  readonly gender?: Gender;
}

export type Gender = 'female' | 'male';

const maxCached = 20_000;
const longestName = 80;

interface Term {
  readonly tags?: readonly string[];
}

const plainTags = [
  'Verb',
  'Adverb',
  'Conjunction',
  'Preposition',
  'Pronoun',
  'Determiner',
  'QuestionWord',
  'Expression',
  'Auxiliary',
];
const descriptionTags = ['Adjective', 'Demonym', 'Actor'];
const personTags = ['Person', 'LastName'];
const placeTags = ['Place', 'City', 'Country', 'Region'];
const organisationTags = ['Organization', 'Company', 'SportsTeam', 'School'];

/** Looks names up, each on its own, so that surrounding words have no influence. Results are cached, since a look-up takes 0.3 ms. */
export function createLexicon(): (name: string) => LexiconEntry {
  return cachedByWord((name) => lookUp(name.normalize().slice(0, longestName)), maxCached);
}

/** At most this many different names before colons are looked up per item, since a look-up takes 0.3 ms. */
const maxSpeakers = 1_000;

/** Looks up the first names of an item that it is asked about; undefined for further ones. */
export function limitedLookUp(lexicon: (name: string) => LexiconEntry): (name: string) => LexiconEntry | undefined {
  const known = new Set<string>();
  return (name) => {
    if (known.size < maxSpeakers) known.add(name);
    return known.has(name) ? lexicon(name) : undefined;
  };
}

function lookUp(name: string): LexiconEntry {
  const [sentence] = nlp(name).json() as { terms: Term[] }[];
  const tags = (sentence?.terms ?? []).map((term) => term.tags ?? []);
  const [first = []] = tags;
  const gender = genderOf(name, first);
  return {
    type: typeByTags(tags),
    isPlainWord: hasAny(first, plainTags),
    isDescription: hasAny(first, descriptionTags),
    ...(gender && { gender }),
  };
}

/** First names of women and men alike, whatever the lexicon says. Lower case. */
const sharedNames = wordSet(`
  alex andrea andy ariel ash ashley aubrey avery bailey billie blair bobbie cameron carey carmen casey charlie chris cory courtney dakota dana
  danny devin drew eden elliot emerson fran francis frankie gabriel hayden jackie jaime jamie jan jean jess jesse jo jody jordan jules kai kelly
  kendall kerry kim kit lee leslie logan lou lynn mackenzie marion max mel micah morgan nico nicky noel nikita pat parker quinn ray reese
  riley robbie robin rory rowan ryan sam sandy sasha shannon shawn sidney skyler stacy sydney taylor terry toni tracy val wei yuki
`);

function genderOf(name: string, first: readonly string[]): Gender | undefined {
  if (sharedNames.has(name.split(' ')[0]?.toLowerCase() ?? '')) return undefined;
  if (first.includes('FemaleName')) return 'female';
  return first.includes('MaleName') ? 'male' : undefined;
}

function typeByTags(tags: readonly (readonly string[])[]): EntityType | undefined {
  const [first = []] = tags;
  if (isPerson(tags)) return 'PERSON';
  if (tags.length > 0 && tags.every((each) => hasAny(each, placeTags))) return 'PLACE';
  if (hasAny(first, organisationTags)) return tags.every((each) => hasAny(each, organisationTags)) ? 'ORG' : 'PRODUCT';
  return undefined;
}

/** A last name alone is often a common word; after a first name every noun counts as a last name. */
function isPerson(tags: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = tags;
  if (first.includes('FirstName')) return others.length <= 2 && others.every((each) => each.includes('Noun'));
  if (others.length === 0) return first.includes('Person') && !first.includes('LastName');
  return tags.every((each) => hasAny(each, personTags));
}

function hasAny(tags: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((tag) => tags.includes(tag));
}
