/** How many levels of lists and objects a body may have; no schema of ours has more than five. */
export const maxDepth = 1_000;
/** How many values a body may have, unknown ones included: ten times as many as the largest batch needs. */
export const maxValues = 50_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
// The end of either is two behind its start.
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Says whether JSON is too large in another way than by its bytes. `JSON.parse` needs 1.5 s for 5 MiB of brackets, and a
 * million values take hundreds of megabytes; nothing else is answered meanwhile. This looks at each byte once, takes no
 * room, and need not know whether it is JSON at all.
 * @returns undefined when it is fine
 */
export function excessOf(json: Uint8Array): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) {
      at = endOfString(json, at);
    } else if (byte === comma) {
      values += 1;
    } else if (byte === listStart || byte === objectStart) {
      depth += 1;
      // Its first value; the others have commas. A blank in an empty one is taken for a value.
      if (json[at + 1] !== byte + 2) values += 1;
    } else if (byte === listEnd || byte === objectEnd) {
      depth -= 1;
    }
    if (depth > maxDepth) return 'depth';
    if (values > maxValues) return 'values';
  }
  return undefined;
}

/** @param start of its first quote */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
