/** The bytes of an event's vector as numbers; base64 of little-endian float32. */
export function vectorOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  // A copy, since the bytes of a small buffer stand anywhere in a shared block.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/**
 * The cosine of the angle between two vectors of the same length, rounded to six digits. Computed here, and always in the
 * same order, so that a rebuild gives the same figures to the last bit; the vector store's own scores need not.
 */
export function cosine(left: Float32Array, right: Float32Array): number {
  const lengths = lengthOf(left) * lengthOf(right);
  return lengths === 0 ? 0 : Math.round((product(left, right) / lengths) * 1e6) / 1e6;
}

/** Each vector is compared with many others. */
const lengths = new WeakMap<Float32Array, number>();

function lengthOf(vector: Float32Array): number {
  const known = lengths.get(vector) ?? Math.sqrt(product(vector, vector));
  lengths.set(vector, known);
  return known;
}

function product(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] as number) * (right[index] as number);
  return sum;
}
