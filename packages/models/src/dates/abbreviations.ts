/** What is read before a full stop, in characters. */
export const readBefore = 40;

/** Of persons. */
export const titles = 'Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Gen|Sen|Gov|Lt|Sgt|Capt|Col|Ing';
const abbreviatedWithin = String.raw`${titles}|vs|approx|[Ff]ig|[Vv]ol|e\.g|i\.e|cf|pp?`;
const months = 'Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec';
const placesAndMonths = `St|Mt|${months}`;
const abbreviated = `${abbreviatedWithin}|${placesAndMonths}`;
const abbreviatedAtTheEnd = String.raw`etc|al|Sr|Jr|Inc|Ltd|Co|Corp|[ap]\.m`;
const abbreviation = new RegExp(String.raw`(?:^|[\s("'])(?:${abbreviatedWithin})\.\s*$`, 'u');
/**
 * These end a sentence only before a word that certainly begins one: "It ends on 12 Dec. I moved", but not "12 Dec. 2026" and
 * "St. Mary".
 */
const placeOrMonth = new RegExp(String.raw`(?:^|[\s("'])(?:${placesAndMonths})\.\s*$`, 'u');
/** These may also end a sentence, and do so if the next word begins one. */
const finalAbbreviation = new RegExp(String.raw`(?:^|[\s("'])(?:${abbreviatedAtTheEnd}|[Nn]o)\.\s*$`, 'u');
/** A clause that begins with a date: "On 12 Dec. I moved" */
const openingDate = new RegExp(
  String.raw`(?:^|[,;:–—(]\s?|\b(?:[Aa]nd|[Bb]ut|[Ss]o|[Tt]hen|that|when|because|if|or|where|while)\s)["'“‘]?(?:[Ii]n|[Oo]n|[Bb]y|[Aa]t|[Ss]ince|[Uu]ntil|[Tt]ill|[Ff]rom|[Bb]efore|[Aa]fter|[Aa]round|[Dd]uring|[Ll]ast|[Nn]ext|[Tt]his)\s(?:(?:early|mid|late|the \p{L}{1,9} of)[ -])?(?:(?:the )?\d{1,2}(?:st|nd|rd|th)?\s)?(?:${months})\.\s*$`,
  'u',
);
const initials = /(?:^|[\s("'])(?:\p{Lu}\.){0,4}\p{Lu}\.\s*$/u;
const firstWords = String.raw`I|I['’]\p{L}+|We|He|She|They|It|You|The|This|That|There|These|My|Our|His|Her|Their|Its|And|But|So|Then|When|If`;
/** Of a sentence. */
export const firstWord = new RegExp(String.raw`^["'“‘(]?(?:${firstWords}|In|On|At)\b`, 'u');
const certainFirstWord = new RegExp(String.raw`^["'“‘(]?(?:${firstWords}|An?)(?= |['’]\p{Ll})`, 'u');
export const smallFirstWord = new RegExp(String.raw`^["'“‘(]?(?:${firstWords})\b`, 'iu');

/** The end of what precedes a full stop and a small letter. */
export const smallAbbreviation = new RegExp(
  String.raw`(?:^|[\s("'])(?:${abbreviated}|${abbreviatedAtTheEnd}|figs|eqs?|refs?|ca|incl|resp|dept|ave|(?:\p{L}\.)+\p{L})$`,
  'iu',
);

/**
 * Whether the full stop at the end of a text, which blanks may follow, is that of an abbreviation and ends no sentence.
 * @param before up to `readBefore` characters
 * @param after the start of what follows, without blanks
 * @param beginning what begins a sentence after "etc." and the like; after initials, months and "St." only the words that usually
 * do: "J. Smith"
 */
export function endsInAbbreviation(before: string, after: string, beginning = firstWord): boolean {
  if (abbreviation.test(before)) return true;
  if (placeOrMonth.test(before)) return !certainFirstWord.test(after) || openingDate.test(before);
  return finalAbbreviation.test(before) ? !beginning.test(after) : initials.test(before) && !firstWord.test(after);
}
