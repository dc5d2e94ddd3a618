/** A memory of the document. */
export interface MarkedUnit {
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
  const bySentence = createSentenceIndex(lower);
  let after = 0;
  return (fact) => {
    const range = wordForWord(lower, fact, after) ?? wordForWord(lower, fact, 0) ?? bySentence(fact);
    if (range) after = range.start;
    return range;
  };
}

function wordForWord(lower: string, fact: string, from: number): Range | undefined {
  for (const wording of wordingsOf(fact.toLowerCase())) {
    const start = lower.indexOf(wording, from);
    if (start !== -1) return { start, end: start + wording.length };
  }
  return undefined;
}

/** What a memory may say in the text: without the speaker, and without dates in brackets. */
function wordingsOf(fact: string): Set<string> {
  const spoken = fact.replace(/^[^:\n]{1,60}: /, '');
  const withoutDates = (wording: string) => wording.replace(/ \([^()]*\)/g, '');
  const all = [fact, spoken, withoutDates(fact), withoutDates(spoken)].map((wording) => wording.trim());
  return new Set(all.filter((wording) => wording.length > 2));
}

function createSentenceIndex(lower: string): (fact: string) => Range | undefined {
  const sentences: Range[] = [];
  const byWord = new Map<string, number[]>();
  for (const { index, 0: sentence } of lower.matchAll(/[^\n.!?]+[.!?]*/g)) {
    const start = index + (sentence.length - sentence.trimStart().length);
    const number = sentences.push({ start, end: start + sentence.trim().length }) - 1;
    for (const word of wordsOf(sentence)) {
      const known = byWord.get(word);
      if (known) known.push(number);
      else byWord.set(word, [number]);
    }
  }
  return (fact) => {
    const words = wordsOf(fact.toLowerCase());
    const counts = new Map<number, number>();
    for (const word of words) {
      for (const number of byWord.get(word) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    const [best] = [...counts].toSorted(([, left], [, right]) => right - left);
    return best && best[1] >= minShare * words.size ? sentences[best[0]] : undefined;
  };
}

/** Words that say something. */
function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}
