import { createLexicon } from '../extraction/lexicon.ts';
import { type Sentence, splitSentences } from '../extraction/sentences.ts';
import type { Speaker } from '../extraction/speaker.ts';
import { nameKey } from '../extraction/statements/repeated-names.ts';
import { createSpeakerReading, type ItemSpeakers } from '../extraction/statements/speaker-reading.ts';

/** What of an item its chunks are made of. */
export interface ChunkedItem extends ItemSpeakers {
  readonly content: string;
}

/** A piece of an item for one model request. */
export interface Chunk {
  readonly text: string;
  /** The end of the preceding chunk; blank for the first one. */
  readonly before: string;
  /** Who is speaking when the chunk begins, by name or by the role of the item, unless its text starts with the speaker. */
  readonly speaker: Speaker | undefined;
  /** Every sentence has a speaker, and none is the agent. */
  readonly isOnlyOthers: boolean;
  /** The agent's own name as the text has it; undefined when the agent does not speak under it. */
  readonly agentName: string | undefined;
}

/** Characters of a chunk's text. */
export const longestChunk = 5_000;
const longestBefore = 400;

/**
 * Cuts the text of an item into chunks of at most `longestChunk` characters: where a paragraph begins, else where another
 * speaker begins, else between sentences. Only blanks at the cuts are lost.
 */
export function chunksOf(item: ChunkedItem, lexicon = createLexicon()): Chunk[] {
  const { content: text } = item;
  const chunks: Chunk[] = [];
  const chunkOf = (sentences: readonly Sentence[]) => toChunk(sentences, chunks.at(-1), item);
  let open: Sentence[] = [];
  for (const sentence of splitSentences(text, createSpeakerReading(text, item, lexicon))) {
    const [first] = open;
    if (first !== undefined && sentence.end - first.start > longestChunk) {
      const cut = borderOf(open);
      chunks.push(chunkOf(open.slice(0, cut)));
      open = open.slice(cut);
    }
    open.push(sentence);
  }
  if (open.length > 0) chunks.push(chunkOf(open));
  return chunks;
}

/** How many sentences go into the chunk: up to the last good place to cut in its second half. */
function borderOf(sentences: readonly Sentence[]): number {
  const half = Math.ceil(sentences.length / 2);
  const last = (isBorder: (sentence: Sentence) => boolean) =>
    sentences.findLastIndex((sentence, index) => index >= half && isBorder(sentence));
  const paragraph = last(({ startsParagraph }) => startsParagraph);
  if (paragraph > 0) return paragraph;
  const turn = last(({ isPrefixed }) => isPrefixed);
  return turn > 0 ? turn : sentences.length;
}

function toChunk(
  sentences: readonly Sentence[],
  previous: Chunk | undefined,
  { content, agentName }: ChunkedItem,
): Chunk {
  const [first] = sentences;
  const ownName = agentName === undefined ? undefined : nameKey(agentName);
  const byName = sentences.find(({ speaker }) => speaker !== undefined && nameKey(speaker.name) === ownName);
  const own = content.slice(first?.start, sentences.at(-1)?.end).trim();
  return {
    text: own,
    before: previous === undefined ? '' : endOf(previous.text),
    speaker: first?.isPrefixed ? undefined : first?.speaker,
    isOnlyOthers: !byName && sentences.every(({ speaker }) => speaker !== undefined && !speaker.isAgent),
    agentName: byName?.speaker?.name,
  };
}

function endOf(text: string): string {
  if (text.length <= longestBefore) return text;
  const end = text.slice(-longestBefore);
  const space = end.indexOf(' ');
  return (space < 0 ? end : end.slice(space + 1)).toWellFormed();
}
