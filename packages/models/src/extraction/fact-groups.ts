import type { FactType } from '../ports.ts';
import { combineTypes, factTypeOf } from './fact-type.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import type { Speaker } from './speaker.ts';

/** A fact before its dates and entities are known. */
export interface FactDraft {
  readonly text: string;
  readonly factType: FactType;
  /** All speakers with a prefix in the text. */
  readonly speakers: readonly Speaker[];
}

/** In characters. An item up to this length is one fact; the sentences of a longer one are grouped up to it. */
const usualLength = 300;
/** Up to this length, a sentence that needs the one before joins its group. */
const maxDependentLength = 600;
/** A shorter group is not a fact of its own. */
const minLength = 40;
/** A paragraph of at least this length is not joined with the next one. */
const paragraphLength = 150;

const dependsOnPrevious =
  /^["'“‘(\s]*(?:he|she|it|its|they|them|his|her|hers|their|this|that|these|those|such|and|but|so|or|because|also|then|therefore|however|otherwise|instead|the (?:former|latter|same))\b/i;

/** Groups the sentences of a text into facts that can be understood on their own. */
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
  if (
    length <= maxDependentLength &&
    (isCrumb(next) || dependsOnPrevious.test(text.slice(next.start, next.start + 40)))
  )
    return true;
  if (type !== group.type || length > usualLength) return false;
  return !(next.startsParagraph && group.last.end - group.first.start >= paragraphLength);
}

/** Another speaker starts a new fact, except for an answer to a question and when the group is too short. */
function answers(group: Group, next: Sentence, text: string): boolean {
  return isCrumb(next) || isCrumb(group.last) || text.slice(group.last.start, group.last.end).trimEnd().endsWith('?');
}

function isCrumb({ start, end }: Sentence): boolean {
  return end - start < minLength;
}

function draftOf({ first, last, type, speakers }: Group, text: string): FactDraft {
  const own = text.slice(first.start, last.end).trim();
  const needsPrefix = first.speaker !== undefined && !first.isPrefixed;
  return { text: needsPrefix ? `${first.speaker.name}: ${own}` : own, factType: type, speakers };
}
