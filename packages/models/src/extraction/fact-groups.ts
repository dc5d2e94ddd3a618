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
    const next = { ...sentence, type: factTypeOf(text.slice(sentence.start, sentence.end), sentence.speaker) };
    if (group !== undefined && belongs(group, next, text)) {
      group = { first: group.first, end: next.end, type: group.type };
      continue;
    }
    if (group !== undefined) yield draftOf(group, text);
    group = { first: next, end: next.end, type: next.type };
  }
  if (group !== undefined) yield draftOf(group, text);
}

interface Group {
  readonly first: Sentence;
  readonly end: number;
  readonly type: FactType;
}

function oneFact(text: string): FactDraft {
  const sentences = [...splitSentences(text)];
  const types = sentences.map(({ start, end, speaker }) => factTypeOf(text.slice(start, end), speaker));
  const speakers = sentences.flatMap(({ speaker, isPrefixed }) =>
    isPrefixed && speaker !== undefined ? [speaker] : [],
  );
  return { text, factType: combineTypes(types), speakers };
}

function belongs(group: Group, next: Sentence & { readonly type: FactType }, text: string): boolean {
  if (next.isPrefixed || next.speaker !== group.first.speaker) return false;
  const length = next.end - group.first.start;
  const isCrumb = next.end - next.start < crumbLength;
  if (length <= leaningLength && (isCrumb || leans.test(text.slice(next.start, next.start + 40)))) return true;
  if (next.type !== group.type || length > usualLength) return false;
  return !(next.startsParagraph && group.end - group.first.start >= paragraphLength);
}

function draftOf({ first, end, type }: Group, text: string): FactDraft {
  const own = text.slice(first.start, end).trim();
  const { speaker } = first;
  if (speaker === undefined) return { text: own, factType: type, speakers: [] };
  return { text: first.isPrefixed ? own : `${speaker.name}: ${own}`, factType: type, speakers: [speaker] };
}
