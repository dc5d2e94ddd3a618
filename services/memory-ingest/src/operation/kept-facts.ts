import type { ExtractedFact } from '@mneme/models';
import { LRUCache } from 'lru-cache';

/** The facts of one batch, by the index of the item. */
export interface FactsByItem {
  get(item: number): readonly ExtractedFact[] | undefined;
  set(item: number, facts: readonly ExtractedFact[]): void;
}

/** The most bytes of all facts that are kept. */
const maxBytes = 64 * 1024 * 1024;
/** Longer than a model server may ask a batch to wait, in milliseconds. */
const keptMs = 60 * 60_000;
/** What a fact or entity takes beside its texts, in bytes, about. */
const objectBytes = 100;

/**
 * What a language model has found in items of batches that are not stored yet, so that another attempt asks it only about the
 * rest. In the memory of this process: another one, or the same after a restart, asks about all items.
 */
export class KeptFacts {
  readonly #operations = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: keptMs,
    ttlAutopurge: true,
  });

  /** @param operation the subject of the batch */
  of(operation: string): FactsByItem {
    const kept: Kept = this.#operations.get(operation) ?? { facts: new Map(), bytes: 0 };
    const { facts } = kept;
    let { bytes } = kept;
    return {
      get: (item) => facts.get(item),
      set: (item, found) => {
        facts.set(item, found);
        bytes += bytesOf(found);
        this.#operations.set(operation, { facts, bytes });
      },
    };
  }

  forget(operation: string): void {
    this.#operations.delete(operation);
  }
}

interface Kept {
  readonly facts: Map<number, readonly ExtractedFact[]>;
  readonly bytes: number;
}

function bytesOf(facts: readonly ExtractedFact[]): number {
  const bytes = facts.map(
    ({ text, entities }) =>
      objectBytes + text.length * 2 + entities.reduce((sum, { name }) => sum + objectBytes + name.length * 2, 0),
  );
  return bytes.reduce((sum, each) => sum + each, objectBytes);
}
