import { stemmer } from 'stemmer';

/** Texts are read this far: a stored fact is far shorter, and a text of megabytes must not stop the process. */
const maxCharacters = 65_536;
/** A run of letters longer than this is no word; what comes after is dropped. */
const maxWordLength = 40;

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const unspacedRun = new RegExp(`^[${unspaced}]`, 'u');
const wordPattern = new RegExp(
  `[${unspaced}][${unspaced}\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+(?:['’]\\p{L}+)?`,
  'gu',
);
const asciiPattern = /[a-z0-9]+(?:'[a-z]+)?/g;

/**
 * The words of a text, lower case, in order. Scripts that put no spaces between words give overlapping pairs of characters instead.
 * A possessive or contracted ending is cut off: "Anna's" is "anna", "don't" is "don't".
 */
export function words(text: string): string[] {
  const prepared = prepare(text);
  if (isAscii(prepared)) return (prepared.match(asciiPattern) ?? []).map(tidy);
  const found: string[] = [];
  for (const match of prepared.match(wordPattern) ?? []) {
    if (unspacedRun.test(match)) found.push(...pairs(match));
    else found.push(tidy(match));
  }
  return found;
}

function prepare(text: string): string {
  const cut = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  return isAscii(cut) ? cut.toLowerCase() : cut.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 127) return false;
  }
  return true;
}

function tidy(word: string): string {
  const bare = word.endsWith("'s") ? word.slice(0, -2) : word;
  return bare.length > maxWordLength ? bare.slice(0, maxWordLength) : bare;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** So many stems are remembered; then the memory starts anew. English has few words, typing errors have no end. */
const maxRemembered = 50_000;
const plainWord = /^[a-z]+$/;

/** Makes a function that gives Porter's stem of an English word; other words come back as they are. It remembers, because Porter is slow. */
export function createStemming(): (word: string) => string {
  const remembered = new Map<string, string>();
  return (word) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const stem = plainWord.test(word) ? stemmer(word) : word;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(word, stem);
    return stem;
  };
}
