import type { Lane } from '../lanes/lane.ts';

/** Something that writes for lanes. */
export interface Work {
  readonly lanes: readonly Lane[];
  /** Whether it takes long, so that not everything at work may be like this. */
  readonly isHeavy: boolean;
}

/** What a version writes just now. Lanes that are in trouble wait most of the time, and do not count. */
export class WorkInProgress {
  readonly #working = new Map<Promise<void>, Work>();

  /** How much is at work. */
  get count(): number {
    return this.#sound().length;
  }

  get heavyCount(): number {
    return this.#sound().filter(({ isHeavy }) => isHeavy).length;
  }

  /** @param ended called when the writing is over, however that was */
  add(work: Work, writing: Promise<void>, ended: (error: unknown) => void): void {
    const done = writing
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .then((error) => {
        this.#working.delete(done);
        ended(error);
      });
    this.#working.set(done, work);
  }

  /** Resolves when everything that is at work now is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#working.keys());
  }

  #sound(): readonly Work[] {
    return [...this.#working.values()].filter(({ lanes }) => lanes.every(({ failure }) => !failure));
  }
}
