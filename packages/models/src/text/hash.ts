/**
 * A 32-bit hash of a string: FNV-1a over its UTF-16 code units, then the finalizer of MurmurHash3. Not for secrets.
 * Stored vectors depend on it: a change needs a new model name.
 */
export function hash32(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return finalize(hash);
}

function finalize(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
