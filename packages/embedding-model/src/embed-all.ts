import type { EmbeddingModel, Urgency } from '@mneme/models';
import { mapInSlices } from '@mneme/workers/time-slices';

/** A text that is to be found by its vector. */
interface Embeddable {
  readonly text: string;
}

interface EmbedAllOptions {
  readonly signal?: AbortSignal;
  readonly urgency?: Urgency;
}

/**
 * How many texts the model gets at once: enough for it to have several requests to a server under way, or to move the work to
 * a thread, and few enough for their vectors to be held in memory twice.
 */
const slice = 512;

/** @returns one vector for each item, in the same order, as events hold them: little-endian float32 values in base64 */
export async function embedAll(
  embeddings: EmbeddingModel,
  items: readonly Embeddable[],
  { signal, urgency = 'batch' }: EmbedAllOptions = {},
): Promise<readonly string[]> {
  const all: string[] = [];
  for (let start = 0; start < items.length; start += slice) {
    const texts = items.slice(start, start + slice).map(embeddings.textOf);
    const vectors = await embeddings.embed(texts, signal, urgency);
    if (vectors.length !== texts.length)
      throw new Error(`The embedding model returned ${vectors.length} vectors for ${texts.length} texts`);
    all.push(...(await mapInSlices(vectors, toBase64)));
    signal?.throwIfAborted();
  }
  return all;
}

function toBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
