/** Words that say nothing about the facts. Every other one may: "in" and "on", "he" and "she", "most" and "few" do. */
const fillers: ReadonlySet<string> = new Set(['actually', 'also', 'anyway', 'basically', 'indeed']);
/** Which one it is makes no difference, but whether there is one: "a few" are more than "few". */
const article = /^(?:an?|the)$/i;

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
    "[:;=]'?-?[()]",
    // Units, currencies, comparisons, arrows, emoji; "+" is one of them.
    String.raw`\p{Sm}|\p{Sc}|\p{So}|\p{Extended_Pictographic}|[#@&%‰]|!(?==)`,
    // A minus before a number, a range, a blood group or grade, but no hyphen between words: "-5", "3-1", "0-", "A-".
    String.raw`-(?=\s?[\p{Sc}.,]?\p{N})|(?<=\p{N})-|(?<=\p{L})-(?!\p{L})`,
    // The same before what stands for a number, and other signs of code: "-EUR 5", "-x", "!user".
    String.raw`(?<![\p{L}\p{N}\p{M}])(?:-(?=[\p{L}\p{Sm}(]|\s?\p{Sc}\s?\p{N})|!(?=[\p{L}(]))`,
    // Inside of numbers, addresses and formulas: "1/2" is not "1.2", ".5" is not "5".
    String.raw`(?<=[\p{L}\p{N}])[.,:/\\*^_](?=[\p{L}\p{N}])|(?<![\p{L}\p{N}\p{M}])[.,](?=\p{N})`,
    String.raw`(?<=[\p{L}\p{N}]\s)[-/*^](?=\s[\p{L}\p{N}])`,
    // Feet are not inches.
    String.raw`(?<=\p{N})['"′]`,
    // A question states nothing; in Greek it ends with a semicolon.
    String.raw`[?؟](?![?؟])|(?<=\p{Script=Greek});`,
  ].join('|'),
  'gu',
);

/** A word at the beginning, which begins with a capital there only. */
const firstWord = /^\p{Lu}(?=[\p{Ll}\p{M}]*$)/u;

/**
 * What a text states, for comparison: its words, numbers with their signs, and symbols, in their order. Two texts have the
 * same statement if they differ only in punctuation, spacing, the case of the first word, which article there is,
 * contractions and fillers. Words are not reduced to stems, since "lives" is not "lived", and keep their case: German "Sie" is
 * not "sie". Takes time in proportion to the length of the text.
 */
export function statementOf(text: string): string {
  const tokens = expanded(text).match(tokenPattern) ?? [];
  const telling = tokens.filter((token) => !fillers.has(token.toLowerCase()));
  // Of dots and dashes alone, the text itself is what can be compared.
  if (telling.length === 0) return text;
  const [first = '', ...others] = telling.map((token) => token.replace(article, 'the'));
  return [first.replace(firstWord, (capital) => capital.toLowerCase()), ...others].join(' ');
}

function expanded(text: string): string {
  const plain = text.normalize('NFC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[−–‐]/g, '-');
  if (!plain.includes("'") && !/cannot/i.test(plain)) return plain;
  return contractions.reduce((all, [pattern, long]) => all.replace(pattern, long), plain);
}
