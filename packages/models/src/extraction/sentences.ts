import {
  endsInAbbreviation,
  firstWord,
  readBefore,
  smallAbbreviation,
  smallFirstWord,
} from '../dates/abbreviations.ts';
import type { Speaker, SpeakerReading } from './speaker.ts';

/** A sentence, or a piece of a very long one, by its position in the item. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly speaker: Speaker | undefined;
  /** Directly after the prefix with the speaker. */
  readonly isPrefixed: boolean;
  /** After an empty line. */
  readonly startsParagraph: boolean;
}

/** The upper limit for the length of a fact, in characters. */
const longestSentence = 1_000;

const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

const imageStart = /!\[(?:\]\()?$/;
/** The full stop of ".NET", but not of "He left .Then". */
const wordStart = /(?:^|[\s("'])\.$/;
const wordCharacter = /^[\p{L}\p{N}_]/u;

/** A possible end of a sentence whose next one begins with a small letter, which the rules of Unicode never divide. */
const smallEnd = /(?<=[\p{L}\p{N}]{2}|\s\p{N}|[)\]"'’”%])\.{1,2}\s+(?=["'“‘(]?\p{Ll})/gu;
const lowerWord = /(?:^|\s)\p{Ll}{2,}$/u;
/** A text that begins with a small letter, also after a speaker. */
const smallStart = /^(?:[^:]{1,40}:\s)?[^\p{L}]*\p{Ll}/u;
/** A sentence within a text that begins with a capital letter. */
const capitalStart = /[.!?]\s+["'“‘(]?\p{Lu}/u;

/** In JSON on one line. */
const betweenRecords = /[}\]],\s?(?=[{[])/g;
const betweenValues = /(?:[\d"}\]]|true|false|null),\s?(?=")/g;

/** A possible end of a sentence within a line. */
const innerEnd = /\p{Sentence_Terminal}.*\S/u;

/**
 * The sentences of a text, in order, line by line. A speaker stays the speaker until another one begins.
 * @param speakers reads who speaks; without it no sentence has a speaker
 */
export function* splitSentences(text: string, speakers?: SpeakerReading): Generator<Sentence> {
  let startsParagraph = false;
  for (const line of linesOf(text)) {
    const body = text.slice(line.start, line.end);
    if (body.trim() === '') {
      startsParagraph = true;
      continue;
    }
    for (const turn of turnsOf(text, line, speakers)) {
      let isPrefixed = speakers?.read(text.slice(turn.start, turn.end), turn.start, turn.isShared) !== undefined;
      const speaker = speakers?.current();
      for (const { start, end } of sentencesIn(text, turn.start, turn.end)) {
        yield { start, end, speaker, isPrefixed, startsParagraph };
        isPrefixed = false;
        startsParagraph = false;
      }
    }
  }
}

/** A part of a text: `start` inclusive, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Turn extends Span {
  /** It is one of several of its line. */
  readonly isShared: boolean;
}

/** The turns of a line, which is one itself where no one else speaks within it. */
export function turnsOf(text: string, { start, end }: Span, speakers?: SpeakerReading): Turn[] {
  const starts = [0, ...(speakers?.turnsWithin(text.slice(start, end)) ?? [])];
  return starts.map((from, index) => ({
    start: start + from,
    end: start + (starts[index + 1] ?? end - start),
    isShared: starts.length > 1,
  }));
}

/** The lines of a text, without their ends. */
export function* linesOf(text: string): Generator<Span> {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield { start, end };
    start = end + 1;
  }
}

/** The sentences of a paragraph, whose lines may be wrapped; none is longer than a fact may be. */
export function* sentencesIn(text: string, start: number, end: number): Generator<Span> {
  for (const sentence of sentencesOfLine(
    text.slice(start, end).replace(/\r\n|\n/g, ({ length }) => ' '.repeat(length)),
  )) {
    yield* cut(text, start + sentence.start, start + sentence.end);
  }
}

/** What is read around a possible end of a sentence, in characters. */
const surroundings = 12;

/** By the rules of Unicode, except after abbreviations. Lines without a possible end skip the slow segmenter. */
function* sentencesOfLine(line: string): Generator<Span> {
  if (!innerEnd.test(line)) {
    yield { start: 0, end: line.length };
    return;
  }
  const isSmall = smallStart.test(line) && !capitalStart.test(line);
  let start = 0;
  let end = 0;
  for (const { segment, index } of segmenter.segment(line)) {
    end = index + segment.length;
    const before = line.slice(Math.max(start, end - readBefore), end);
    if (end < line.length && isAbbreviated(before, line.slice(end, end + surroundings))) continue;
    yield* atSmallLetters(line, { start, end }, isSmall);
    start = end;
  }
  if (start < end) yield* atSmallLetters(line, { start, end }, isSmall);
}

/**
 * Divides what the rules of Unicode take for one sentence because of a small letter after the full stop: everywhere in a text
 * without capital letters, else after a word without one and before one that begins a sentence.
 * @param isSmall whether the sentences of the text begin with small letters
 */
function* atSmallLetters(line: string, { start, end }: Span, isSmall: boolean): Generator<Span> {
  const sentence = line.slice(start, end);
  let from = start;
  for (const { index, 0: gap } of sentence.matchAll(smallEnd)) {
    const before = sentence.slice(Math.max(0, index - surroundings), index);
    if (smallAbbreviation.test(before)) continue;
    const next = index + gap.length;
    const isCertain = lowerWord.test(before) && smallFirstWord.test(sentence.slice(next, next + surroundings));
    if (!isSmall && !isCertain) continue;
    yield { start: from, end: start + next };
    from = start + next;
  }
  if (from < end) yield { start: from, end };
}

/**
 * A mark within an address ends no sentence either, `/search?q=1`, nor one in front of a word or of an image: `.NET`,
 * `![Anna](anna.jpg)`.
 */
function isAbbreviated(before: string, after: string): boolean {
  if (/[?!]$/.test(before) && /^[\p{Ll}\d]/u.test(after)) return true;
  if (imageStart.test(before) || (wordStart.test(before) && wordCharacter.test(after) && !firstWord.test(after)))
    return true;
  return endsInAbbreviation(before, after);
}

/**
 * Cut to bounded length: of JSON between its records or values where possible, else at a space or a comma, and never within a
 * surrogate pair. Blank parts are left out.
 */
export function* cut(text: string, start: number, end: number): Generator<Span> {
  let from = start;
  while (from < end) {
    const to = end - from > longestSentence ? cutAt(text, from) : end;
    if (isVisible(text.slice(from, to))) yield { start: from, end: to };
    from = to;
  }
}

/** Whether a text has a character that is neither white space, nor a control character, nor invisible. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

function cutAt(text: string, from: number): number {
  const limit = from + longestSentence;
  const part = text.slice(from, limit);
  const record = endOfLast(betweenRecords, part);
  if (record > 0) return from + record;
  const value = endOfLast(betweenValues, part);
  if (value > longestSentence / 2) return from + value;
  for (const mark of [' ', ',']) {
    const index = part.lastIndexOf(mark);
    if (index > longestSentence / 2) return from + index + 1;
  }
  return isInsidePair(text, limit) ? limit - 1 : limit;
}

/** Where the last match ends; 0 without one. */
function endOfLast(pattern: RegExp, text: string): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

function isInsidePair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}
