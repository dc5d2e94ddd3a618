import { titles } from '../dates/abbreviations.ts';
import type { EntityType } from '../ports.ts';
import { knownNames, numberedPlaces, typeByFirstWord, typeByLastWord } from './entity-words.ts';
import type { LexiconEntry } from './lexicon.ts';
import { hasInitials } from './names.ts';

const placeCue =
  /\b(?:lives? in|lived in|living in|moved to|moving to|moves to|trip to|travell?ed to|flew to|flying to|born in|based in|visited|visiting|visit)\s$/i;
const organisationCue =
  /\b(?:works? (?:at|for)|worked (?:at|for)|working (?:at|for)|employed by|hired by|studie[sd] at|graduated from)\s$/i;
const kin =
  'friend|brother|sister|son|daughter|wife|husband|partner|boyfriend|girlfriend|cousin|nephew|niece|boss|colleague|coworker|mother|father|neighbou?r|teacher|coach|therapist|roommate';
const personCue = new RegExp(String.raw`\b(?:named|(?:my|his|her|our|their) (?:${kin}))\s$`, 'i');

const titled = new RegExp(String.raw`^(?:${titles})\. `);
const titleCue = new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${titles})\. $`, 'u');
/** "Charlotte's Web" is not a person. */
const owner = /['’]s /;

/**
 * The type of a name: by the known names and its words, then by the lexicon, then by the text before it.
 *
 * @param before the text before the name
 * @returns undefined when the type is not known
 */
export function entityTypeOf(
  name: string,
  before: string,
  lookUp: (name: string) => LexiconEntry,
): EntityType | undefined {
  const byName = titleCue.test(before) ? 'PERSON' : (typeByWords(name) ?? lookUp(name).type);
  const type = byName ?? typeByInitials(name, before) ?? typeByCue(before);
  return type === 'PERSON' && owner.test(name) ? undefined : type;
}

function typeByWords(name: string): EntityType | undefined {
  const known = knownType(name);
  if (known !== undefined) return known;
  const words = name.toLowerCase().replaceAll('.', '').split(' ');
  const first = words[0] ?? '';
  const last = words.at(-1) ?? '';
  if (words.length < 2) return undefined;
  if (titled.test(name)) return 'PERSON';
  if (numberedPlaces.has(first) && /^(?:\d+[a-z]?|[a-z])$/.test(last)) return 'PLACE';
  if (/^\d/.test(last)) return knownNames.get(first);
  const byFirst = typeByFirstWord.get(first);
  if (byFirst === 'PERSON' && words.includes('of')) return 'OTHER';
  return byFirst ?? typeByLastWord.get(last) ?? knownProduct(first);
}

/** A name of up to three letters must be in capital letters: LA is a place, La is not. */
function knownType(name: string): EntityType | undefined {
  return name.length > 3 || name === name.toUpperCase() ? knownNames.get(name.toLowerCase()) : undefined;
}

function knownProduct(word: string): EntityType | undefined {
  return knownNames.get(word) === 'PRODUCT' ? 'PRODUCT' : undefined;
}

/** "J. K. Rowling", but not after "works at": "J. P. Morgan". */
function typeByInitials(name: string, before: string): EntityType | undefined {
  return hasInitials(name) && !organisationCue.test(before) ? 'PERSON' : undefined;
}

function typeByCue(before: string): EntityType | undefined {
  if (placeCue.test(before)) return 'PLACE';
  if (organisationCue.test(before)) return 'ORG';
  return personCue.test(before) ? 'PERSON' : undefined;
}
