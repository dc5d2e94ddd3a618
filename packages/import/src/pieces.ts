import { concatBytes, isBlank } from './bytes.ts';
import { FileFault } from './found.ts';

const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a];
const openings: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closings: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Splits a JSON array into its elements without parsing them. So an element that is broken leaves the others as they are,
 * and those before a place where the file is damaged can be read, which a parser of the whole does not give.
 *
 * @throws FileFault when an element has more than `maxBytes`, the array does not end, or something follows it
 */
export async function* arrayElements(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  const piece = createPiece(maxBytes);
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let elements = 0;
  let isOver = false;
  for await (const chunk of content) {
    let start = 0;
    for (let at = 0; at < chunk.length && !isOver; at += 1) {
      const byte = chunk[at] as number;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
        continue;
      }
      if (byte === quote) isText = true;
      else if (openings.has(byte)) {
        depth += 1;
        if (depth === 1) start = at + 1;
      } else if (closings.has(byte)) depth -= 1;
      if ((byte === comma && depth === 1) || (closings.has(byte) && depth === 0)) {
        const element = piece.end(chunk.subarray(start, at));
        start = at + 1;
        isOver = depth === 0;
        if (!isOver || !isBlank(element)) {
          elements += 1;
          yield element;
        }
      }
    }
    const rest = chunk.subarray(start);
    if (depth > 0) piece.add(rest);
    if (isOver && !isBlank(rest)) {
      throw new FileFault(`there is more after the end of its list, after record ${elements}`);
    }
  }
  if (isOver) return;
  throw new FileFault(`the file ends in the middle of its list, after record ${elements}`);
}

/**
 * The lines of a file, without their ends.
 *
 * @throws FileFault when a line has more than `maxBytes`
 */
export async function* lines(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  const piece = createPiece(maxBytes);
  for await (const chunk of content) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield piece.end(chunk.subarray(start, end));
      start = end + 1;
    }
    piece.add(chunk.subarray(start));
  }
  const last = piece.end(new Uint8Array());
  if (last.length > 0) yield last;
}

/** Collects what belongs together from several chunks. */
function createPiece(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const add = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > maxBytes) throw new FileFault(`a record has more than ${maxBytes / 1_024 ** 2} MiB`);
    parts.push(part);
  };
  return {
    add,
    /** The whole piece; the next one begins. */
    end: (part: Uint8Array): Uint8Array => {
      add(part);
      const whole = concatBytes(parts);
      parts = [];
      bytes = 0;
      return whole;
    },
  };
}
