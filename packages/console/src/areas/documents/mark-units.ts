/** A memory of the document. */
interface MarkedUnit {
  readonly id: string;
  readonly text: string;
}

/** A part of the text, and the memories that it became; most often none or one. */
export interface Segment<Unit extends MarkedUnit> {
  /** Index of its first UTF-16 code unit in the text. */
  readonly start: number;
  readonly text: string;
  readonly units: readonly Unit[];
}

export interface MarkedText<Unit extends MarkedUnit> {
  readonly segments: readonly Segment<Unit>[];
  /** Memories that say it in other words, so that their place is not known. */
  readonly elsewhere: readonly Unit[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** How many of the words of a memory a sentence must have to be its place. */
const minShare = 0.6;
/** How many sentences with a rare word of a memory are looked at: of many, each says little about the place. */
const maxCandidates = 100;

/**
 * Finds memories in the text of their document. A memory repeats a sentence, with the name of the speaker before it and
 * resolved dates in it; a model also rephrases, and then the sentence that has most of its words is the place.
 *
 * @param units in the order of the document
 */
export function markUnits<Unit extends MarkedUnit>(text: string, units: readonly Unit[]): MarkedText<Unit> {
  const finder = createFinder(text);
  const found = units.map((unit) => ({ unit, range: finder(unit.text) }));
  const placed = found.flatMap(({ unit, range }) => (range ? [{ unit, range }] : []));
  placed.sort((left, right) => left.range.start - right.range.start);
  const elsewhere = found.flatMap(({ unit, range }) => (range ? [] : [unit]));
  return { segments: segmentsOf(text, placed), elsewhere };
}

function segmentsOf<Unit extends MarkedUnit>(
  text: string,
  placed: readonly { readonly unit: Unit; readonly range: Range }[],
): Segment<Unit>[] {
  const marks: { start: number; end: number; units: Unit[] }[] = [];
  for (const { unit, range } of placed) {
    const last = marks.at(-1);
    if (last && range.start < last.end) {
      last.end = Math.max(last.end, range.end);
      last.units.push(unit);
    } else marks.push({ ...range, units: [unit] });
  }
  const segments: Segment<Unit>[] = [];
  let at = 0;
  for (const { start, end, units } of [...marks, { start: text.length, end: text.length, units: [] }]) {
    if (start > at) segments.push({ start: at, text: text.slice(at, start), units: [] });
    if (end > start) segments.push({ start, text: text.slice(start, end), units });
    at = end;
  }
  return segments;
}

/** Finds one memory after another; sentences that are said twice belong to memories in the same order. */
function createFinder(text: string): (fact: string) => Range | undefined {
  // Of the same length as the text, else its places would be others.
  const lower = text.toLowerCase().length === text.length ? text.toLowerCase() : text;
  const indexOf = createTextIndex(lower);
  const bySentence = createSentenceIndex(lower);
  let after = 0;
  return (fact) => {
    const range = wordForWord(indexOf, fact, after) ?? wordForWord(indexOf, fact, 0) ?? bySentence(fact);
    if (range) after = range.start;
    return range;
  };
}

function wordForWord(indexOf: TextIndex, fact: string, from: number): Range | undefined {
  for (const wording of wordingsOf(fact.toLowerCase())) {
    const start = indexOf(wording, from);
    if (start !== -1) return { start, end: start + wording.length };
  }
  return undefined;
}

/** `indexOf` of a text. @returns -1 if it does not occur */
type TextIndex = (part: string, from: number) => number;

/** In UTF-16 code units. */
const blockLength = 8;

/**
 * Finds parts of a text without reading it from one end to the other: by the blocks that it consists of, one of which begins
 * at one of the first places of any part that is long enough.
 */
function createTextIndex(text: string): TextIndex {
  const places = new Map<string, number[]>();
  for (let at = 0; at + blockLength <= text.length; at += blockLength) {
    pushTo(places, text.slice(at, at + blockLength), at);
  }
  return (part, from) => {
    if (part.length < 2 * blockLength - 1) return text.indexOf(part, from);
    let first = -1;
    for (let shift = 0; shift < blockLength; shift += 1) {
      const { offset, known } = rarestBlock(places, part, shift);
      const place = known.find((at) => at - offset >= from && text.startsWith(part, at - offset));
      if (place !== undefined && (first === -1 || place - offset < first)) first = place - offset;
    }
    return first;
  };
}

/** Of the blocks of a part that begin at a place and each block's length after it, the one with the fewest places. */
function rarestBlock(places: ReadonlyMap<string, readonly number[]>, part: string, shift: number) {
  let rarest: { offset: number; known: readonly number[] } | undefined;
  for (let offset = shift; offset + blockLength <= part.length; offset += blockLength) {
    const known = places.get(part.slice(offset, offset + blockLength)) ?? [];
    if (!rarest || known.length < rarest.known.length) rarest = { offset, known };
    if (known.length === 0) break;
  }
  return rarest ?? { offset: 0, known: [] };
}

function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What a memory may say in the text: without the speaker, and without dates in brackets. */
function wordingsOf(fact: string): Set<string> {
  const spoken = fact.replace(/^[^:\n]{1,60}: /, '');
  const withoutDates = (wording: string) => wording.replace(/ \([^()]*\)/g, '');
  const all = [fact, spoken, withoutDates(fact), withoutDates(spoken)].map((wording) => wording.trim());
  return new Set(all.filter((wording) => wording.length > 2));
}

interface Sentence extends Range {
  readonly words: ReadonlySet<string>;
}

function createSentenceIndex(lower: string): (fact: string) => Range | undefined {
  const byWord = new Map<string, Sentence[]>();
  for (const { index, 0: sentence } of lower.matchAll(/[^\n.!?]+[.!?]*/g)) {
    const start = index + (sentence.length - sentence.trimStart().length);
    const found = { start, end: start + sentence.trim().length, words: wordsOf(sentence) };
    for (const word of found.words) pushTo(byWord, word, found);
  }
  return (fact) => {
    const words = [...wordsOf(fact.toLowerCase())];
    const found = words.map((word) => byWord.get(word) ?? []).toSorted((left, right) => left.length - right.length);
    const wanted = Math.max(1, Math.ceil(minShare * words.length));
    // A sentence with that many of the words has one of these.
    const rarest = found.slice(0, words.length - wanted + 1).flatMap((known) => known.slice(0, maxCandidates));
    let best: Sentence | undefined;
    let most = wanted - 1;
    for (const sentence of rarest.slice(0, maxCandidates)) {
      const count = words.filter((word) => sentence.words.has(word)).length;
      if (count > most) [best, most] = [sentence, count];
    }
    return best;
  };
}

/** Words that say something. */
function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}
