import { isQuotedLine } from '../fact-type.ts';
import { countSides, isSide, type Speaker, speakerOf, variantOf } from '../speaker.ts';

const readLength = 300;
/** What is before a sentence within a line. */
const sentenceGap = /(?<=[.!?…]["'”’)\]]{0,2})\s+/gu;
/** "User: has many orders" describes a user. */
const describes = /^(?:he|she|it|they|has|is)(?!\p{L})/iu;

/**
 * Where further speakers begin within a line. A line is shared by the sides of a conversation only: it has to begin with one,
 * and every word before a colon that begins a sentence has to be one: `User: Book it. Assistant: Done.` Otherwise its first
 * speaker says all of it: `User: Book it. Mira: Done.` Labels of one kind share a line too: `Option A: We fly. Option B: We drive.`
 * @param hasUsers whether `User` speaks in the text
 * @returns positions in the line, in order; empty when one speaker has the whole line
 */
export function turnsWithin(line: string, hasUsers: boolean): number[] {
  const first = speakerOf(line, hasUsers);
  const variant = first && variantOf(first);
  if (first === undefined || !(isSide(first) || variant !== undefined) || isQuotedLine(line)) return [];
  const starts: number[] = [];
  let marks = 0;
  let read = 0;
  for (const { index, 0: gap } of line.matchAll(sentenceGap)) {
    const start = index + gap.length;
    const sentence = line.slice(start, start + readLength);
    const found = speakerOf(sentence, hasUsers);
    if (found === undefined) continue;
    marks += countMarks(line.slice(read, start));
    read = start;
    if (variant !== undefined) {
      if (variantOf(found) === variant && found.name !== first.name && marks % 2 === 0) starts.push(start);
      continue;
    }
    if (!isSide(found) || marks % 2 === 1 || describes.test(firstLineOf(sentence, found))) return [];
    starts.push(start);
  }
  return variant !== undefined || countSides(line) === starts.length + 1 ? starts : [];
}

/** What a speaker says, up to the end of the line, shortened. */
export function firstLineOf(line: string, { prefixLength }: Speaker): string {
  return line.slice(prefixLength, prefixLength + readLength).split('\n', 1)[0] ?? '';
}

function countMarks(text: string): number {
  return text.match(/["“”«»]/g)?.length ?? 0;
}
