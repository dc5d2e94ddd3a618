/** Words that say nothing about the facts. Every other one may: "in" and "on", "he" and "she", "most" and "few" do. */
const fillers: ReadonlySet<string> = new Set(['actually', 'also', 'anyway', 'basically', 'indeed']);
/** "A few" are some, "few" are hardly any. */
const countedWithArticle: ReadonlySet<string> = new Set(['few', 'little']);

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\b(?:can't|cannot)\b/gi, 'can not'],
  [/\bwon't\b/gi, 'will not'],
  [/n't\b/gi, ' not'],
  [/\b(he|she|it|that|there|here|what|who)'s\b/gi, '$1 is'],
  [/'m\b/gi, ' am'],
  [/'re\b/gi, ' are'],
  [/'ve\b/gi, ' have'],
  [/'ll\b/gi, ' will'],
];

/** Everything that carries meaning; what it does not match, such as spaces, commas and quotation marks, is left out. */
const tokenPattern = new RegExp(
  [
    String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:'\p{L}[\p{L}\p{M}]*)*`,
    // Emoticons: ":)" is not ":(".
    "[:;]'?-?[()]",
    // Units, currencies, comparisons, arrows, emoji; "+" is one of them.
    String.raw`\p{Sm}|\p{Sc}|\p{So}|\p{Extended_Pictographic}|[#@&%‰]|!(?==)`,
    // A minus before a number, a range, a blood group or grade, but no hyphen between words: "-5", "3-1", "0-", "A-".
    String.raw`-(?=\s?[\p{Sc}.,]?\p{N})|(?<=\p{N})-|(?<=\p{L})-(?!\p{L})`,
    // Inside of numbers, addresses and formulas: "1/2" is not "1.2".
    String.raw`(?<=[\p{L}\p{N}])[.,:/\\*^_](?=[\p{L}\p{N}])`,
    // Feet are not inches.
    String.raw`(?<=\p{N})['"′]`,
    // A question states nothing.
    '[?؟](?![?؟])',
  ].join('|'),
  'gu',
);

/**
 * What a text states, for comparison: its words, numbers with their signs, and symbols, in their order. Two texts have the
 * same statement if they differ only in case, punctuation, spacing, English articles, contractions and fillers. Words are
 * not reduced to stems, since "lives" is not "lived". Takes time in proportion to the length of the text.
 */
export function statementOf(text: string): string {
  const tokens = expanded(text).match(tokenPattern) ?? [];
  const telling = tokens.filter((token, place) => !isFiller(token, place, tokens[place + 1]));
  // Of dots and dashes alone, the text itself is what can be compared.
  return telling.length === 0 ? text : telling.join(' ').toLowerCase();
}

function expanded(text: string): string {
  const plain = text.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[−–‐]/g, '-');
  if (!plain.includes("'") && !/cannot/i.test(plain)) return plain;
  return contractions.reduce((all, [pattern, long]) => all.replace(pattern, long), plain);
}

function isFiller(token: string, place: number, next: string | undefined): boolean {
  const word = token.toLowerCase();
  if (fillers.has(word)) return true;
  // A capital A within a sentence is a name: "platform A".
  const isArticle = word === 'the' || word === 'an' || token === 'a' || (token === 'A' && place === 0);
  return isArticle && next !== undefined && !countedWithArticle.has(next.toLowerCase());
}
