import type { EntityType } from '../ports.ts';
import { knownNames, numberedPlaces, typeByFirstWord, typeByLastWord } from './entity-words.ts';
import type { LexiconEntry } from './lexicon.ts';

const placeCue =
  /\b(?:lives? in|lived in|living in|moved to|moving to|moves to|trip to|travell?ed to|flew to|flying to|born in|based in|visited|visiting|visit)\s$/i;
const organisationCue =
  /\b(?:works? (?:at|for)|worked (?:at|for)|working (?:at|for)|employed by|hired by|studie[sd] at|graduated from)\s$/i;
const kin =
  'friend|brother|sister|son|daughter|wife|husband|partner|boyfriend|girlfriend|cousin|nephew|niece|boss|colleague|coworker|mother|father|neighbou?r|teacher|coach|therapist|roommate';
const personCue = new RegExp(String.raw`\b(?:named|(?:my|his|her|our|their) (?:${kin}))\s$`, 'i');

/** "Charlotte's Web" is no person. */
const owner = /['’]s /;

/**
 * The type of a name, by what is known of it, then by its words, then by the words in front of it.
 *
 * @param before what stands in front of the name
 * @returns undefined when nothing says it
 */
export function entityTypeOf(
  name: string,
  before: string,
  lookUp: (name: string) => LexiconEntry,
): EntityType | undefined {
  const type = typeByWords(name) ?? lookUp(name).type ?? typeByCue(before);
  return type === 'PERSON' && owner.test(name) ? undefined : type;
}

function typeByWords(name: string): EntityType | undefined {
  const known = knownType(name);
  if (known !== undefined) return known;
  const words = name.toLowerCase().replaceAll('.', '').split(' ');
  const first = words[0] ?? '';
  const last = words.at(-1) ?? '';
  if (words.length < 2) return undefined;
  if (numberedPlaces.has(first) && /^(?:\d+[a-z]?|[a-z])$/.test(last)) return 'PLACE';
  if (/^\d/.test(last)) return knownNames.get(first);
  const byFirst = typeByFirstWord.get(first);
  if (byFirst === 'PERSON' && words.includes('of')) return 'OTHER';
  return byFirst ?? typeByLastWord.get(last) ?? knownProduct(first);
}

/** A name of two or three letters counts only in capitals: LA is a place, La is not. */
function knownType(name: string): EntityType | undefined {
  return name.length > 3 || name === name.toUpperCase() ? knownNames.get(name.toLowerCase()) : undefined;
}

function knownProduct(word: string): EntityType | undefined {
  return knownNames.get(word) === 'PRODUCT' ? 'PRODUCT' : undefined;
}

function typeByCue(before: string): EntityType | undefined {
  if (placeCue.test(before)) return 'PLACE';
  if (organisationCue.test(before)) return 'ORG';
  return personCue.test(before) ? 'PERSON' : undefined;
}
