import type { FactType } from '../ports.ts';
import { combineTypes, factTypeOf } from './fact-type.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import type { Speaker } from './speaker.ts';

/** A fact before its dates and entities are known. */
export interface FactDraft {
  readonly text: string;
  readonly factType: FactType;
  /** Everybody whose prefix stands in the text. */
  readonly speakers: readonly Speaker[];
}

/** An item up to this length stays one fact; the sentences of a longer one are put together up to it. Characters. */
const usualLength = 300;
/** A sentence that cannot be understood without the one before goes with it up to this length. */
const leaningLength = 600;
/** Less than this is no fact of its own. */
const crumbLength = 40;
/** A paragraph that has at least this much is not joined with the next. */
const paragraphLength = 150;

const leans =
  /^["'“‘(\s]*(?:he|she|it|its|they|them|his|her|hers|their|this|that|these|those|such|and|but|so|or|because|also|then|therefore|however|otherwise|instead|the (?:former|latter|same))\b/i;

/** Puts the sentences of a text together to facts that can be understood alone. */
export function* groupFacts(text: string): Generator<FactDraft> {
  if (text.length <= usualLength) {
    yield oneFact(text);
    return;
  }
  let group: Group | undefined;
  for (const sentence of splitSentences(text)) {
    const type = factTypeOf(text.slice(sentence.start, sentence.end), sentence.speaker);
    if (group !== undefined && belongs(group, sentence, type, text)) {
      group = { ...group, last: sentence, speakers: withSpeaker(group.speakers, sentence) };
      continue;
    }
    if (group !== undefined) yield draftOf(group, text);
    group = { first: sentence, last: sentence, type, speakers: withSpeaker([], sentence) };
  }
  if (group !== undefined) yield draftOf(group, text);
}

interface Group {
  readonly first: Sentence;
  readonly last: Sentence;
  readonly type: FactType;
  readonly speakers: readonly Speaker[];
}

function oneFact(text: string): FactDraft {
  const sentences = [...splitSentences(text)];
  const types = sentences.map(({ start, end, speaker }) => factTypeOf(text.slice(start, end), speaker));
  return { text, factType: combineTypes(types), speakers: sentences.reduce(withSpeaker, []) };
}

function withSpeaker(speakers: readonly Speaker[], { speaker }: Sentence): readonly Speaker[] {
  return speaker === undefined || speakers.includes(speaker) ? speakers : [...speakers, speaker];
}

function belongs(group: Group, next: Sentence, type: FactType, text: string): boolean {
  const length = next.end - group.first.start;
  if (type !== group.type && type !== 'world') return false;
  if (next.isPrefixed) return length <= usualLength && type === group.type && answers(group, next, text);
  if (length <= leaningLength && (isCrumb(next) || leans.test(text.slice(next.start, next.start + 40)))) return true;
  if (type !== group.type || length > usualLength) return false;
  return !(next.startsParagraph && group.last.end - group.first.start >= paragraphLength);
}

/** What somebody else says starts a fact of its own, but for an answer to a question, and for what is too little to stand alone. */
function answers(group: Group, next: Sentence, text: string): boolean {
  return isCrumb(next) || isCrumb(group.last) || text.slice(group.last.start, group.last.end).trimEnd().endsWith('?');
}

function isCrumb({ start, end }: Sentence): boolean {
  return end - start < crumbLength;
}

function draftOf({ first, last, type, speakers }: Group, text: string): FactDraft {
  const own = text.slice(first.start, last.end).trim();
  const needsPrefix = first.speaker !== undefined && !first.isPrefixed;
  return { text: needsPrefix ? `${first.speaker.name}: ${own}` : own, factType: type, speakers };
}
