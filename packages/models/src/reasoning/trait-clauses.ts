import { type Indication, traitWords, wordsOf } from './trait-words.ts';

const setOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text));

const self = setOf("i i'm i've i'd i'll");
const others = setOf("he she they it we you he's she's they're it's we're you're everyone everybody someone somebody");
/** Nouns by which a person speaks of their own character: "My personality is warm." */
const ownNature = setOf('personality nature character temperament mind attitude style approach manner');
const selfBeing = setOf(
  "am i'm was wasn't were be been being feel felt become remain stay keep get seem consider describe",
);
const othersBeing = setOf("is isn't are aren't has seems feels gets");
const reporting = setOf('says said thinks thought claims claimed believes calls called finds tells told');
const liking = setOf(
  'love like enjoy prefer seek crave adore thrive thrives loves likes enjoys prefers seeks craves thriving enjoying seeking',
);
const disliking = setOf(
  'hate dislike avoid dread fear detest hates dislikes avoids dreads fears detests avoiding hating shun shuns',
);
/** After these words, a description is about something else: "a nurse for anxious children". */
const endsDescription = setOf(
  'for of with in at about to from by on near around under because than when while like who whose that the my his her their this these those your our',
);
const endsPursuit = setOf('about for because than when while who that which if');
const negations = setOf('not never no hardly rarely without seldom neither nor cannot used stopped');
/** These make "not" no negation: "not only kind but also patient". */
const afterNegation = setOf('only just merely');
const adverbs = setOf(
  'also always often never usually really now currently still just sometimes rarely seldom only very quite rather so truly generally do not have had try tend to can will would easily constantly deeply genuinely hardly too',
);
/** A word that has another sense before one of these: "kind of", "social media". */
const otherSense: Readonly<Record<string, ReadonlySet<string>>> = {
  kind: setOf('of'),
  social: setOf('media security worker workers work studies science sciences'),
  stable: setOf('hand boy owner'),
  calm: setOf('sea seas waters'),
  order: setOf('of forms'),
  risk: setOf('assessment assessments analyst management'),
  patient: setOf('records record care of at'),
  responsible: setOf('for'),
};
/** "I like to order pizza" is not about order. */
const alsoVerbs = setOf('order change risk risks plans');
/** Many "people" are just some: "I avoid rude people". */
const beforePeople = setOf('love like enjoy with around among new meeting');
/** A negation inverts this many words after it, within its part of the sentence. */
const negationReach = 3;

/** Who and what the words at a place of a sentence are about. */
interface Place {
  subject: 'self' | 'other' | 'none';
  /** What the coming words describe: the agent, what it likes, what it does, or nothing. */
  reading: 'description' | 'pursuit' | 'habit' | 'none';
  /** For pursuits: -1 after a verb of dislike, or a negated one. */
  sign: 1 | -1;
  /** Negations before this token do not count any more. */
  from: number;
  /** Whether "I am" was said, so that a description may go on after a comma. */
  hasDescription: boolean;
}

const word = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*|[.,;:!()\n–—]/gu;
const mark = /^[^\p{L}\p{N}]$/u;

/**
 * What a sentence says about the traits of the one who speaks. A word counts in its own place only: a description after
 * "I am", a pursuit after a verb such as "enjoy" or "avoid", a habit right after "I". What is said about others, or by
 * others, does not count. Takes linear time.
 */
export function indicationsIn(sentence: string): Indication[] {
  if (sentence.trimEnd().endsWith('?')) return [];
  const tokens = sentence.toLowerCase().replaceAll('’', "'").match(word) ?? [];
  const place = startOf(tokens);
  const found: Indication[] = [];
  for (const [index, token] of tokens.entries()) {
    // What others say, and what would be, is no fact about the agent until the sentence ends.
    if (token === 'if' || token === 'unless' || (reporting.has(token) && place.subject !== 'self')) break;
    const indication = indicationAt(place, tokens, index);
    if (indication !== undefined) found.push(indication);
    advance(place, tokens, index);
  }
  return found;
}

/** "Curious and creative." is about the agent, too, if it has no other words. */
function startOf(tokens: readonly string[]): Place {
  const isFragment = tokens.every(
    (token) => mark.test(token) || token === 'and' || token === 'but' || adverbs.has(token) || isDescription(token),
  );
  const subject = isFragment ? 'self' : 'none';
  return { subject, reading: isFragment ? 'description' : 'none', sign: 1, from: 0, hasDescription: isFragment };
}

function isDescription(token: string): boolean {
  return traitWords.descriptions.has(token);
}

function indicationAt(place: Place, tokens: readonly string[], index: number): Indication | undefined {
  const token = tokens[index] ?? '';
  if (place.subject !== 'self' || otherSense[token]?.has(tokens[index + 1] ?? '')) return undefined;
  const found = lookUp(place.reading, tokens, index);
  if (found === undefined) return undefined;
  const isPursuit = place.reading === 'pursuit';
  const isInverted = isNegatedAt(tokens, index, isPursuit ? place.from : 0) !== (isPursuit && place.sign === -1);
  return isInverted ? { ...found, direction: found.direction === 1 ? -1 : 1 } : found;
}

function lookUp(reading: Place['reading'], tokens: readonly string[], index: number): Indication | undefined {
  const token = tokens[index] ?? '';
  const before = tokens[index - 1] ?? '';
  if (reading === 'description') {
    // "open" describes a person only in "open to".
    if (token === 'open' && tokens[index + 1] === 'to') return { trait: 'openness', direction: 1 };
    return traitWords.descriptions.get(token);
  }
  if (reading === 'habit') return traitWords.habits.get(token);
  if (reading !== 'pursuit' || (before === 'to' && alsoVerbs.has(token))) return undefined;
  return token === 'people' && !beforePeople.has(before) ? undefined : traitWords.pursuits.get(token);
}

function isNegatedAt(tokens: readonly string[], index: number, from = 0): boolean {
  for (let at = index - 1; at >= Math.max(from, index - negationReach); at -= 1) {
    const token = tokens[at] ?? '';
    if (mark.test(token) || token === 'but') return false;
    if (isNegation(token) && !afterNegation.has(tokens[at + 1] ?? '')) return true;
  }
  return false;
}

function isNegation(token: string): boolean {
  return negations.has(token) || token.endsWith("n't");
}

function advance(place: Place, tokens: readonly string[], index: number): void {
  const token = tokens[index] ?? '';
  if (self.has(token) || (token === 'my' && ownNature.has(tokens[index + 1] ?? ''))) {
    place.subject = 'self';
    place.reading = token === "i'm" ? 'description' : 'habit';
    place.hasDescription = token === "i'm";
  } else if (mark.test(token) || token === 'but') {
    place.reading = place.hasDescription && place.subject === 'self' ? 'description' : 'none';
  } else if (others.has(token)) {
    place.subject = 'other';
    place.reading = 'none';
  } else if (place.subject === 'self') {
    advanceOwn(place, tokens, index);
  }
}

function advanceOwn(place: Place, tokens: readonly string[], index: number): void {
  const token = tokens[index] ?? '';
  const before = tokens[index - 1] ?? '';
  if (token === 'who' && place.reading === 'description') {
    // "I am a founder who thrives on risk": still about the agent.
    place.reading = 'habit';
  } else if (othersBeing.has(token)) {
    const isOwn = before === 'who' || ownNature.has(before);
    place.subject = isOwn && place.reading === 'habit' ? 'self' : 'other';
    place.reading = isOwn ? 'description' : 'none';
  } else if (place.reading === 'habit') {
    advanceVerb(place, tokens, index);
  } else if (place.reading === 'description' && endsDescription.has(token)) {
    place.reading = 'none';
  } else if (place.reading === 'pursuit' && endsPursuit.has(token)) {
    place.reading = 'none';
  }
}

function advanceVerb(place: Place, tokens: readonly string[], index: number): void {
  const token = tokens[index] ?? '';
  if (selfBeing.has(token)) {
    place.reading = 'description';
    place.hasDescription = true;
  } else if (liking.has(token) || disliking.has(token)) {
    place.reading = 'pursuit';
    place.sign = liking.has(token) !== isNegatedAt(tokens, index) ? 1 : -1;
    place.from = index;
  } else if (!adverbs.has(token) && !isNegation(token) && !ownNature.has(token)) {
    place.reading = 'none';
  }
}
