/** Of persons. */
export const titles = 'Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Gen|Sen|Gov|Lt|Sgt|Capt|Col|Ing';
const abbreviated = String.raw`${titles}|St|Mt|vs|approx|[Ff]ig|[Vv]ol|e\.g|i\.e|cf|pp?|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec`;
const abbreviatedAtTheEnd = String.raw`etc|al|Sr|Jr|Inc|Ltd|Co|Corp|[ap]\.m`;
const abbreviation = new RegExp(String.raw`(?:^|[\s("'])(?:${abbreviated})\.\s*$`, 'u');
/** These may also end a sentence, and do so if the next word begins one. */
const finalAbbreviation = new RegExp(String.raw`(?:^|[\s("'])(?:${abbreviatedAtTheEnd}|[Nn]o)\.\s*$`, 'u');
const initials = /(?:^|[\s("'])(?:\p{Lu}\.){0,4}\p{Lu}\.\s*$/u;
const firstWords = String.raw`I|I['’]\p{L}+|We|He|She|They|It|You|The|This|That|There|These|My|Our|His|Her|Their|Its|And|But|So|Then|When|If`;
/** Of a sentence. */
export const firstWord = new RegExp(String.raw`^["'“‘(]?(?:${firstWords}|In|On|At)\b`, 'u');
export const smallFirstWord = new RegExp(String.raw`^["'“‘(]?(?:${firstWords})\b`, 'iu');

/** The end of what precedes a full stop and a small letter. */
export const smallAbbreviation = new RegExp(
  String.raw`(?:^|[\s("'])(?:${abbreviated}|${abbreviatedAtTheEnd}|figs|eqs?|refs?|ca|incl|resp|dept|ave|(?:\p{L}\.)+\p{L})$`,
  'iu',
);

/**
 * Whether the full stop at the end of a text, which blanks may follow, is that of an abbreviation and ends no sentence.
 * @param after the start of what follows, without blanks
 * @param beginning what begins a sentence after "etc." and the like; after initials only the words that usually do, "J. Smith"
 */
export function endsInAbbreviation(before: string, after: string, beginning = firstWord): boolean {
  if (abbreviation.test(before)) return true;
  return finalAbbreviation.test(before) ? !beginning.test(after) : initials.test(before) && !firstWord.test(after);
}
