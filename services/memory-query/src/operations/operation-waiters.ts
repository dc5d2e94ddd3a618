import type { MemoryCollections, StoredOperation } from '../read-model/collections.ts';

/** Follows how far the read model is. */
export interface Progress {
  position(): number;
  await(sequence: number, deadlineMs: number): Promise<boolean>;
}

/** Without a sign of progress the operations are looked at again after so long, in milliseconds. */
const recheckMs = 1_000;

/**
 * Those who wait for an operation to end. Where this instance fills the read model, they are told by it; where another
 * one does, all of them cost one query per step of the read model.
 */
export class OperationWaiters {
  readonly #collections: () => MemoryCollections;
  readonly #progress: Progress;
  readonly #waiting = new Map<string, Set<(row: StoredOperation) => void>>();
  #isWatching = false;
  #toldUpTo = 0;

  /** @param collections those of the version that is live now */
  constructor(collections: () => MemoryCollections, progress: Progress) {
    this.#collections = collections;
    this.#progress = progress;
  }

  /**
   * The operation once it is completed, failed or cancelled; undefined when that takes longer than `waitMs`.
   * @param submittedSequence where it was submitted: a read model that is not yet there is not asked
   */
  wait(operationId: string, waitMs: number, submittedSequence: number): Promise<StoredOperation | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (row: StoredOperation | undefined) => {
        clearTimeout(timer);
        this.#remove(operationId, settle);
        resolve(row);
      };
      const timer = setTimeout(() => settle(undefined), waitMs);
      this.#waiting.set(operationId, (this.#waiting.get(operationId) ?? new Set()).add(settle));
      if (submittedSequence <= Math.max(this.#progress.position(), this.#toldUpTo))
        this.#findSettled([operationId]).catch((error: unknown) => {
          settle(undefined);
          reject(error);
        });
      void this.#watch();
    });
  }

  /**
   * Tells those who wait for any of these operations.
   * @param rows what was just written of operations; @param position how far the read model is with it
   */
  applied(rows: Iterable<StoredOperation>, position: number): void {
    this.#toldUpTo = position;
    this.#settle(rows);
  }

  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    try {
      while (this.#waiting.size > 0) {
        const hasMoved = await this.#progress.await(this.#progress.position() + 1, recheckMs);
        const isTold = hasMoved && this.#progress.position() <= this.#toldUpTo;
        if (!isTold) await this.#findSettled([...this.#waiting.keys()]).catch(() => undefined);
      }
    } finally {
      this.#isWatching = false;
    }
  }

  async #findSettled(ids: readonly string[]): Promise<void> {
    const filter = { _id: { $in: [...ids] }, settledSequence: { $ne: null } };
    const rows = await this.#collections()
      .operations.find(filter, { projection: { pendingText: 0 } })
      .toArray();
    this.#settle(rows);
  }

  #settle(rows: Iterable<StoredOperation>): void {
    for (const row of rows) {
      if (row.settledSequence === null) continue;
      for (const settle of this.#waiting.get(row._id) ?? []) settle(row);
    }
  }

  #remove(operationId: string, settle: (row: StoredOperation) => void): void {
    const settles = this.#waiting.get(operationId);
    settles?.delete(settle);
    if (settles?.size === 0) this.#waiting.delete(operationId);
  }
}
