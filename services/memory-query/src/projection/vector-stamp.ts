import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import type { VectorIndex } from '../vectors/vector-index.ts';

/** `_id` is the number of the version. */
interface StoredStamp {
  readonly _id: number;
  readonly stamp: number;
}

/** A replica of Qdrant may not have the last stamp for a moment, in milliseconds. */
const lookAgainMs = 1_000;
const looks = 3;

/**
 * A number that only grows, in the collection of vectors and in MongoDB. By it a Qdrant is recognised that was restored from
 * an older backup than MongoDB: all units that were written since then lack their vectors.
 */
export class VectorStamp {
  readonly #vectors: Pick<VectorIndex, 'mark' | 'raiseStamp'>;
  readonly #stamps: Collection<StoredStamp>;
  readonly #version: number;
  /** Whether it was raised since the last look. */
  #isRaised = false;

  constructor(db: Db, version: number, vectors: Pick<VectorIndex, 'mark' | 'raiseStamp'>) {
    this.#vectors = vectors;
    this.#stamps = db.collection('vector_stamps');
    this.#version = version;
  }

  /**
   * To be called with each write of vectors; raises the stamp with the first one after a look. First in Qdrant, so that a
   * crash in between leaves no Qdrant that seems to be older.
   */
  async note(): Promise<void> {
    if (this.#isRaised) return;
    this.#isRaised = true;
    try {
      const stamp = (await this.#stored()) + 1;
      await this.#vectors.raiseStamp(stamp);
      await this.#stamps.updateOne({ _id: this.#version }, { $max: { stamp } }, { upsert: true });
    } catch {
      // The write itself fails as well if the stores are away. It is raised with the next one.
      this.#isRaised = false;
    }
  }

  /** Whether that of MongoDB is above the one that was just read in Qdrant, which is older then. */
  async isAbove(read: number): Promise<boolean> {
    this.#isRaised = false;
    const stored = await this.#stored();
    let stamp = read;
    for (let look = 1; stamp < stored && look < looks; look += 1) {
      await pause(lookAgainMs);
      stamp = (await this.#vectors.mark())?.stamp ?? 0;
    }
    return stamp < stored;
  }

  async forget(): Promise<void> {
    await this.#stamps.deleteOne({ _id: this.#version });
  }

  async #stored(): Promise<number> {
    return (await this.#stamps.findOne({ _id: this.#version }))?.stamp ?? 0;
  }
}
