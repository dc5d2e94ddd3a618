import type { EmbeddingModel } from '@mneme/models';
import { indexedText } from '@mneme/models';

/** A vector as events hold it: little-endian float32 values in base64. */
export function vectorText(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** Something that is to be found by its text. */
export interface Embeddable {
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly eventDate: string;
}

/** @returns one vector for each, in the same order, as events hold them */
export async function embedAll(
  embeddings: EmbeddingModel,
  items: readonly Embeddable[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const vectors = await embeddings.embed(items.map(indexedText), signal);
  if (vectors.length !== items.length)
    throw new Error('The embedding model gave another number of vectors than of texts');
  return vectors.map(vectorText);
}
