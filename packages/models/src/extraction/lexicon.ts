import nlp from 'compromise/two';
import type { EntityType } from '../ports.ts';

/** What the lexicon of compromise says about a name. */
export interface LexiconEntry {
  /** Undefined when the name is not in it. */
  readonly type: EntityType | undefined;
  /** The first word is a verb, an adverb, a pronoun or the like: at the start of a sentence its capital says nothing. */
  readonly isPlainWord: boolean;
}

/** So many names are remembered; then the memory starts anew. */
const maxRemembered = 20_000;
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
const personTags = ['Person', 'LastName'];
const placeTags = ['Place', 'City', 'Country', 'Region'];
const organisationTags = ['Organization', 'Company', 'SportsTeam', 'School'];

/** Looks names up, each alone, so that the words around cannot mislead; what was looked up is remembered, for it takes a third of a millisecond. */
export function createLexicon(): (name: string) => LexiconEntry {
  const remembered = new Map<string, LexiconEntry>();
  return (name) => {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const entry = lookUp(name.slice(0, longestName));
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(name, entry);
    return entry;
  };
}

function lookUp(name: string): LexiconEntry {
  const [sentence] = nlp(name).json() as { terms: Term[] }[];
  const tags = (sentence?.terms ?? []).map((term) => term.tags ?? []);
  const [first = []] = tags;
  return { type: typeByTags(tags), isPlainWord: hasAny(first, plainTags) };
}

function typeByTags(tags: readonly (readonly string[])[]): EntityType | undefined {
  const [first = []] = tags;
  if (isPerson(tags)) return 'PERSON';
  if (tags.length > 0 && tags.every((each) => hasAny(each, placeTags))) return 'PLACE';
  if (hasAny(first, organisationTags)) return tags.every((each) => hasAny(each, organisationTags)) ? 'ORG' : 'PRODUCT';
  return undefined;
}

/** A last name alone is often a common word; after a first name every noun is a last name. */
function isPerson(tags: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = tags;
  if (first.includes('FirstName')) return others.length <= 2 && others.every((each) => each.includes('Noun'));
  if (others.length === 0) return first.includes('Person') && !first.includes('LastName');
  return tags.every((each) => hasAny(each, personTags));
}

function hasAny(tags: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((tag) => tags.includes(tag));
}
