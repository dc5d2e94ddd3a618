const saysI = /\b(?:I|I['’](?:m|ve|ll|d)|me|my|mine|myself)\b/;
const saysYou = /\b(?:you|your|yours|yourself|you['’](?:re|ve|ll|d))\b/i;
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

/** Puts sentences about an agent into the first person: "You are a nurse." and "The agent is a nurse." become "I am a nurse." Other sentences are unchanged. */
export function toFirstPerson(sentences: readonly string[]): string[] {
  // If any sentence says "I", the agent is speaking, and "you" is another person.
  const isTold = !sentences.some((sentence) => saysI.test(sentence));
  return sentences.map((sentence) => {
    if (theAgent.test(sentence)) return fromThirdPerson(sentence);
    if (isTold && saysYou.test(sentence)) return fromSecondPerson(sentence);
    return isTold ? fromFragment(sentence) : sentence;
  });
}

function fromSecondPerson(sentence: string): string {
  const changed = sentence
    .replace(/\byou['’](re|ve|ll|d)\b/gi, (_, end: string) => (end.toLowerCase() === 're' ? 'I am' : `I'${end}`))
    .replace(/\byou (are|were)\b/gi, (_, verb: string) => (verb.toLowerCase() === 'are' ? 'I am' : 'I was'))
    .replace(/\byourself\b/gi, 'myself')
    .replace(/\byours\b/gi, 'mine')
    .replace(/\byour\b/gi, 'my')
    .replace(/\byou\b/gi, (word, index: number, whole: string) => (isObject(whole, index, word.length) ? 'me' : 'I'));
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
