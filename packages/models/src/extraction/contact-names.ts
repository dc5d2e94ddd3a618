import { wordSet } from '../text/word-lists.ts';

const emoji = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]`;
const emojiOrMark = new RegExp(String.raw`${emoji}|\p{Cf}|^\s*~`, 'gu');
const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const word = String.raw`(?:\p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,29}|${cjk}{2,8}|(?!${cjk})\p{Lo}[\p{L}\p{M}'’.-]{1,19})`;
const smallWord = String.raw`\p{Ll}[\p{L}\p{M}\p{N}_.-]{1,29}`;
/** `Mum ❤️`, `~ Kai`, `Anna & Tom`, `Mike | Acme`, `王芳`, `سارة`, `+49 171 5550199`, `_tom_` */
const contact = new RegExp(
  [
    `(?:~ ?)?(?:${emoji}{1,9} ?)?${word}(?: (?:[&|] )?${word}){0,3}(?: ?${emoji}{1,9})?`,
    `(?:~ ?|${emoji}{1,9} ?)?${smallWord}(?: ?${emoji}{1,9})?`,
    String.raw`\+\d[\d ().-]{5,20}\d`,
    '_[a-z][a-z0-9_.-]{1,28}',
  ]
    .map((form) => `^${form}$`)
    .join('|'),
  'u',
);
const several = / [&|] /;
const beginsWithEmoji = new RegExp(`^(?:~ ?)?${emoji}`, 'u');
const remark = / ?[[(][^\])]{1,40}[\])]$/;
const sentenceMark = /["“”„«»!?,;<>]/u;
/** Words of lines of an export that name nobody: "Ben changed the topic to: Rome", "Today I learned: patience". */
const sentenceWords = wordSet(`
  added are changed created deleted had has have he i is it joined left my our pinned removed she that there they this was we were your
`);
const longestStamped = 40;
const mostWords = 5;

/** Whether it has the form of a contact rather than of a name: an emoji, a number, letters without capitals, several names. */
export function isContactName(name: string): boolean {
  return contact.test(name);
}

/** Whether it looks like a heading as well: "🎯 Goal", "Terms & Conditions". */
export function isLikeHeading(name: string): boolean {
  return beginsWithEmoji.test(name) || several.test(name);
}

/** Whether what is between the stamp of an exported chat and a colon can be somebody. */
export function canBeStamped(name: string): boolean {
  const words = name.toLowerCase().split(' ');
  if (name.length > longestStamped || words.length > mostWords || sentenceMark.test(name)) return false;
  return !words.some((each) => sentenceWords.has(each));
}

/** A name without what is invisible, bold, or a remark: `Sam (she/her)`. */
export function bareName(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\u202f|\u00a0/g, ' ')
    .trim()
    .replace(/(?:\*\*|__)$/, '')
    .replace(remark, '')
    .trim();
}

/** The persons of a contact: `Anna` and `Tom` of `Anna & Tom`, `Mike` of `Mike | Acme`, `Zoe` of `Zoe 🌸`. */
export function personsIn(contactName: string): string[] {
  const name = contactName.replace(emojiOrMark, '').trim();
  const [first = ''] = name.split(' | ');
  return first.split(several);
}
