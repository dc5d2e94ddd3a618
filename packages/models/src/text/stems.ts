import { stemmer } from 'stemmer';

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
