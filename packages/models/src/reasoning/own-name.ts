import { anyCase } from '../any-case.ts';
import { halfNames, notNames } from '../extraction/entity-words.ts';
import type { LexiconEntry } from '../extraction/lexicon.ts';
import { professions } from '../extraction/person-words.ts';
import { commonWords, stopWords, wordSet } from '../text/word-lists.ts';
import { traitWords } from './trait-words.ts';

const word = String.raw`\p{Lu}[\p{L}\p{M}-]{1,30}`;
const mereName = new RegExp(`^${anyCase("(?:I am|I['’]m)")} (${word}(?: ${word}){0,2})[.!]?$`, 'u');
/** What people say they are with a capital letter, though not in the form of other such words. Lower case. */
const descriptions = wordSet(`
  catholic christian protestant evangelical lutheran anglican baptist mormon muslim sunni shia jewish buddhist hindu sikh jain pagan vegan
  democrat socialist communist liberal labour tory green
  aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces
  deaf blind black white brown queer gay bi bisexual trans lesbian straight mute mixed native blonde pregnant alone awake asleep
  aussie kiwi brit scot yankee dane finn swede pole serb croat kurd turk arab jew inuit maori sami zulu yoruba igbo hausa navajo cherokee
  filipino filipina latino latina latinx quebecois lao khmer tamil bengali punjabi malay pashtun uyghur manx
  uzbek tajik kazakh kyrgyz turkmen tatar bashkir boricua orthodox admin freelance
  zen support security sales marketing finance legal product design head chief lead staff team
`);
/** Endings of words that tell what somebody is: "Japanese", "Londoner", "Marxist", "Tired". */
const describes = /(?:ese|ish|an|ic|ist|ism|er|or|ite|ed|ing|ful|less|ous|ive|al|ant|ent|able|ible|y|i)$/;
const unknown = /^\p{Lu}\p{Ll}+$/u;

/**
 * The name that a sentence of nothing else states without calling it one: "I am Pim", but not "I am Swiss", "I am Happy" or
 * "I am Head of Sales". It is known as that of a person, or one word that tells nothing else.
 */
export function mereNameIn(
  sentence: string,
  lexicon: (name: string) => LexiconEntry,
): { readonly isKnown: boolean } | undefined {
  const name = mereName.exec(sentence)?.[1];
  if (name === undefined || isDescribing(name.toLowerCase())) return undefined;
  const { type, isPlainWord, isDescription } = lexicon(name);
  if (type !== undefined) return type === 'PERSON' ? { isKnown: true } : undefined;
  return isPlainWord || isDescription || !unknown.test(name) || describes.test(name) ? undefined : { isKnown: false };
}

const lists = [
  descriptions,
  notNames,
  halfNames,
  stopWords,
  new Set(commonWords),
  professions,
  traitWords.descriptions,
];

function isDescribing(word: string): boolean {
  return lists.some((list) => list.has(word));
}
