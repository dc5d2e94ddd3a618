/** Latin letters that are no letter with an accent, in the form in which they are typed without a special keyboard. */
const plainForms: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};
const special = /[ßæœøđðłıþ]/gu;
const accented = /(?<=\p{Script=Latin})\p{M}+/gu;
const isPlain = /^[\0-\x7f]*$/;

/**
 * A text in lower case without the accents of Latin letters: "françois" is "francois", "müller" is "muller". Marks of other
 * scripts stay, where they are vowels or make other letters.
 */
export function plainLetters(text: string): string {
  if (isPlain.test(text)) return text;
  const bare = text.normalize('NFD').replace(accented, '').normalize('NFC');
  return bare.replace(special, (letter) => plainForms[letter] ?? letter);
}
