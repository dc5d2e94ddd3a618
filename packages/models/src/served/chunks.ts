import { type Sentence, splitSentences } from '../extraction/sentences.ts';
import type { Speaker } from '../extraction/speaker.ts';

/** A piece of an item that is given to a model at once. */
export interface Chunk {
  readonly text: string;
  /** The end of the chunk before; blank for the first. */
  readonly before: string;
  /** Who is speaking when the chunk begins, unless the chunk says so itself. */
  readonly speaker: Speaker | undefined;
  /** Each of its sentences is said by somebody, and never by the agent. */
  readonly isOnlyOthers: boolean;
}

/** Characters of a chunk's text. */
export const longestChunk = 5_000;
const longestBefore = 400;

/**
 * Cuts a text at natural borders into chunks of at most `longestChunk` characters: where a paragraph begins, else where another speaker does,
 * else between sentences. Nothing of the text but blanks at the borders is lost.
 */
export function chunksOf(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Sentence[] = [];
  for (const sentence of splitSentences(text)) {
    const [first] = open;
    if (first !== undefined && sentence.end - first.start > longestChunk) {
      const cut = borderOf(open);
      chunks.push(chunkOf(open.slice(0, cut), chunks.at(-1), text));
      open = open.slice(cut);
    }
    open.push(sentence);
  }
  if (open.length > 0) chunks.push(chunkOf(open, chunks.at(-1), text));
  return chunks;
}

/** How many of the sentences go into the chunk: up to the last good border in its second half. */
function borderOf(sentences: readonly Sentence[]): number {
  const half = Math.ceil(sentences.length / 2);
  const last = (isBorder: (sentence: Sentence) => boolean) =>
    sentences.findLastIndex((sentence, index) => index >= half && isBorder(sentence));
  const paragraph = last(({ startsParagraph }) => startsParagraph);
  if (paragraph > 0) return paragraph;
  const turn = last(({ isPrefixed }) => isPrefixed);
  return turn > 0 ? turn : sentences.length;
}

function chunkOf(sentences: readonly Sentence[], previous: Chunk | undefined, text: string): Chunk {
  const [first] = sentences;
  const own = text.slice(first?.start, sentences.at(-1)?.end).trim();
  return {
    text: own,
    before: previous === undefined ? '' : endOf(previous.text),
    speaker: first?.isPrefixed ? undefined : first?.speaker,
    isOnlyOthers: sentences.every(({ speaker }) => speaker !== undefined && !speaker.isAgent),
  };
}

function endOf(text: string): string {
  if (text.length <= longestBefore) return text;
  const end = text.slice(-longestBefore);
  const space = end.indexOf(' ');
  return (space < 0 ? end : end.slice(space + 1)).toWellFormed();
}
