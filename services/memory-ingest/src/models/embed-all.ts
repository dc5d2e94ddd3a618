import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { EmbeddingModel, Urgency } from '@mneme/models';

/** A text that is to be found by its vector. */
export interface Embeddable {
  readonly text: string;
}

export interface EmbedAllOptions {
  readonly signal: AbortSignal;
  readonly urgency?: Urgency;
}

/** How many texts are embedded before other requests of the process get their turn. */
const slice = 64;

/** @returns one vector for each item, in the same order, as events hold them: little-endian float32 values in base64 */
export async function embedAll(
  embeddings: EmbeddingModel,
  items: readonly Embeddable[],
  { signal, urgency = 'batch' }: EmbedAllOptions,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (let start = 0; start < items.length; start += slice) {
    const texts = items.slice(start, start + slice).map(embeddings.textOf);
    const vectors = await embeddings.embed(texts, signal, urgency);
    if (vectors.length !== texts.length)
      throw new Error(`The embedding model returned ${vectors.length} vectors for ${texts.length} texts`);
    all.push(...vectors.map(toBase64));
    await yieldToOthers();
    signal.throwIfAborted();
  }
  return all;
}

function toBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
