import { availableParallelism } from 'node:os';
import { chunks } from '@mneme/workers/chunks';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { Calibration, EmbeddingModel, Urgency } from '../ports.ts';
import { embeddedText } from '../text/embedded-text.ts';
import { createInference } from './inference.ts';
import { createInferencePool, type InferencePool } from './inference-pool.ts';

export interface MiniLmEmbeddings extends EmbeddingModel {
  /** Ends the processes that hold the model; running calls fail. */
  close(): void;
}

/** Changes with the weights, the tokenizer, the length of the texts and what is left out of them. */
export const miniLmName = 'mneme-minilm-384-v1';
const dimensions = 384;
/** Measured on conversations and documents; see docs/models.md. */
const calibration: Calibration = { unrelated: 0.2, strong: 0.46, link: 0.75, weight: 1 };
/** More texts at once are not faster, and what is more urgent has to wait for them. */
const textsAtOnce = 8;
/** How many parts of a call run or wait, so that calls are served round-robin. The second is ready when the first is done. */
const partsAtOnce = 2;
const maxCached = 2_000;

/**
 * all-MiniLM-L6-v2 (Apache-2.0) as ONNX with weights of 4 bits, on this machine's processor. No question waits for a batch,
 * unless there is only one processor core.
 *
 * @param folder with the model's files
 * @throws ModelError `unavailable` when the runtime does not work on this machine
 */
export async function createMiniLmEmbeddings(folder: string): Promise<MiniLmEmbeddings> {
  const pool = createInferencePool(availableParallelism() > 1 ? 2 : 1, (options) => createInference(folder, options));
  await pool.start();
  return embeddingsOf(pool);
}

/** The model that runs in a pool. */
export function embeddingsOf(pool: Pick<InferencePool, 'run' | 'close'>): MiniLmEmbeddings {
  const cache = new LRUCache<string, Float32Array>({ max: maxCached });
  const embedPart = async (texts: readonly string[], signal: AbortSignal | undefined, urgency: Urgency) => {
    const vectors = await pool.run(texts, urgency, signal);
    return texts.map((text, index) => {
      const vector = vectors.slice(index * dimensions, (index + 1) * dimensions);
      cache.set(text, vector);
      return [text, vector] as const;
    });
  };
  return {
    name: miniLmName,
    dimensions,
    calibration,
    isSlow: true,
    isServed: false,
    textOf: embeddedText,
    embed: async (texts, signal, urgency = 'batch') => {
      signal?.throwIfAborted();
      const found = new Map<string, Float32Array>();
      const missing = new Set<string>();
      for (const text of texts) {
        const known = text.trim() === '' ? new Float32Array(dimensions) : cache.get(text);
        if (known) found.set(text, known);
        else missing.add(text);
      }
      // Texts of similar length need little padding.
      const sorted = [...missing].sort((left, right) => left.length - right.length);
      // The texts of a question are embedded side by side.
      const size = urgency === 'question' ? 1 : textsAtOnce;
      const embedded = await pMap(chunks(sorted, size), (part) => embedPart(part, signal, urgency), {
        concurrency: partsAtOnce,
      });
      for (const [text, vector] of embedded.flat()) found.set(text, vector);
      return texts.map((text) => found.get(text) ?? new Float32Array(dimensions));
    },
    close: pool.close,
  };
}
