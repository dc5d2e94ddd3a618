import { replaceQuotes } from '../text/quotes.ts';

const saysI = /\b(?:I|I['’](?:m|ve|ll|d)|me|my|mine|myself)\b/;
const saysYou = /\b(?:you|your|yours|yourself|you['’](?:re|ve|ll|d))\b/i;
const isAboutI = /^I\b/;
const isAboutYou = /^your?\b/i;
/** Tells the agent who it is, whatever else the sentence says. */
const introduces = /^(?:you (?:are|were)|you['’]re|your name is)\b/i;
const quotes = { longest: 2_000, overLines: true };
const singleQuote = /(?<![\p{L}\p{N}])['‘](?:[^'’\n]|['’](?=\p{L})){1,300}['’](?!\p{L})/gu;
const theAgent = /^(?:the|this) (?:ai )?(?:agent|assistant|bot|chatbot)\b/i;
const adverb =
  '(?:also|always|often|never|usually|really|now|currently|still|just|sometimes|rarely|only|strongly|firmly)';
const thirdPerson = new RegExp(String.raw`^((?: ${adverb})*) (\S+)`, 'i');
const objectBefore =
  /\b(?:to|for|with|of|about|from|by|at|on|in|like|than|help|helps|tell|tells|told|give|gives|gave|ask|asks|asked|call|calls|called|make|makes|made|let|lets|know|knows|love|loves|like|likes|see|sees|teach|teaches|taught) $/i;
/** Length of the longest word in `objectBefore`, with the characters around it. */
const longestBefore = 16;
const verbAfter =
  /^ (?:are|were|have|had|can|could|will|would|should|must|may|might|do|did|want|need|like|love|know|think|believe)\b/i;

/**
 * Puts sentences about an agent into the first person: "You are a nurse." and "The agent is a nurse." become "I am a nurse."
 * Other sentences, and quotations, are unchanged.
 */
export function toFirstPerson(sentences: readonly string[]): string[] {
  const isTold = isToldTo(sentences.map(withBlankQuotes));
  return sentences.map((sentence) => {
    if (theAgent.test(sentence)) return fromThirdPerson(sentence);
    if (!isTold || isAboutI.test(sentence)) return sentence;
    const own = withBlankQuotes(sentence);
    if (saysYou.test(own)) return fromSecondPerson(sentence, own);
    return saysI.test(own) ? sentence : fromFragment(sentence);
  });
}

/**
 * Whether "you" in a text is the agent. If a sentence begins with "I", the agent is speaking, and "you" is another person,
 * except where the text begins with who "you" are. "Me" and "my" elsewhere may be of whoever tells the agent something.
 */
function isToldTo(sentences: readonly string[]): boolean {
  if (introduces.test(sentences[0] ?? '') || !sentences.some((sentence) => saysI.test(sentence))) return true;
  const isTelling = (sentence: string) =>
    introduces.test(sentence) || (isAboutYou.test(sentence) && !saysI.test(sentence));
  return sentences.some(isTelling) && !sentences.some((sentence) => isAboutI.test(sentence));
}

/** A sentence of the same length, without what it quotes. */
function withBlankQuotes(sentence: string): string {
  const blank = (quote: string) => `"${' '.repeat(Math.max(0, quote.length - 2))}"`;
  return replaceQuotes(sentence, quotes, blank).replace(singleQuote, blank);
}

const pronouns =
  /\b(?:you['’](?:re|ve|ll|d)|you (?:are|were)(?:n['’]t)?|you(?:r|rs|rself)?|I (?:am|was)|I['’](?:m|ve|ll|d)|I|me|my|myself)\b/gi;
/** The agent speaks instead of who told it something: "You answer in my language" is "I answer in your language". */
const turned: Readonly<Record<string, string>> = {
  "you're": 'I am',
  "you've": "I've",
  "you'll": "I'll",
  "you'd": "I'd",
  'you are': 'I am',
  "you aren't": 'I am not',
  'you were': 'I was',
  "you weren't": "I wasn't",
  your: 'my',
  yours: 'mine',
  yourself: 'myself',
  "i'm": 'you are',
  "i've": "you've",
  "i'll": "you'll",
  "i'd": "you'd",
  'i am': 'you are',
  'i was': 'you were',
  i: 'you',
  me: 'you',
  my: 'your',
  myself: 'yourself',
};

/** @param own the sentence without what it quotes */
function fromSecondPerson(sentence: string, own: string): string {
  const changed = sentence.replace(pronouns, (word, index: number) => {
    if (!own.startsWith(word, index)) return word;
    const plain = word.toLowerCase().replace('’', "'");
    return plain === 'you' ? (isObject(sentence, index, word.length) ? 'me' : 'I') : (turned[plain] ?? word);
  });
  return capitalised(changed);
}

function isObject(sentence: string, index: number, length: number): boolean {
  const after = sentence.slice(index + length);
  if (verbAfter.test(after)) return false;
  return (
    objectBefore.test(sentence.slice(Math.max(0, index - longestBefore), index)) || /^\s*(?:[.,;!?]|$)/.test(after)
  );
}

function fromThirdPerson(sentence: string): string {
  const rest = sentence.replace(theAgent, '');
  if (/^['’]s\b/.test(rest)) return `My${rest.slice(2)}`;
  const match = thirdPerson.exec(rest);
  if (match === null) return sentence;
  const [all, adverbs = '', verb = ''] = match;
  return `I${adverbs} ${plainVerb(verb)}${rest.slice(all.length)}`.replace(/\b(?:its|their|his|her) own\b/gi, 'my own');
}

const verbs: Readonly<Record<string, string>> = {
  is: 'am',
  was: 'was',
  has: 'have',
  does: 'do',
  goes: 'go',
  "isn't": 'am not',
  "doesn't": "don't",
  "hasn't": "haven't",
};
/** Words in s that are the same in every person. */
const sameForms = /^(?:must|always|sometimes|perhaps|was|\w+ss)$/i;

/** `likes` to `like`, `watches` to `watch`, `studies` to `study`. */
function plainVerb(verb: string): string {
  const known = verbs[verb.toLowerCase().replace('’', "'")];
  if (known !== undefined) return known;
  if (sameForms.test(verb)) return verb;
  return verb
    .replace(/([^aeiou])ies$/i, '$1y')
    .replace(/(ss|sh|ch|x|zz)es$/i, '$1')
    .replace(/([^s])s$/i, '$1');
}

/** "A careful librarian from Kyoto." */
function fromFragment(sentence: string): string {
  const isFragment =
    /^an? /i.test(sentence) &&
    !/\b(?:is|are|was|were|has|have|had|can|will|should|must|does|do|did|goes|\w+ed)\b/i.test(sentence);
  return isFragment ? `I am ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}

export function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
