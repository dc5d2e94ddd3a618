import { type EmbeddingModel, indexedText } from '@mneme/models';

/** A text that is to be found by its vector. */
export interface Embeddable {
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly eventDate: string;
}

/** @returns one vector for each item, in the same order, as events hold them: little-endian float32 values in base64 */
export async function embedAll(
  embeddings: EmbeddingModel,
  items: readonly Embeddable[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const vectors = await embeddings.embed(items.map(indexedText), signal);
  if (vectors.length !== items.length)
    throw new Error(`The embedding model returned ${vectors.length} vectors for ${items.length} texts`);
  return vectors.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  );
}
