import type { MemoryCollections, StoredOperation } from '../read-model/rows.ts';

/** How often operations that wait are looked at, in milliseconds, where this instance is told of what becomes of them. */
const recheckMs = 1_000;
/** The same where another instance applies their events. */
const recheckElsewhereMs = 100;

/** What is waited for. */
export interface AwaitedOperation {
  readonly operationId: string;
  readonly agentKey: string;
  readonly waitMs: number;
}

export interface OperationWaitersOptions {
  /** Those of the version that answers. */
  readonly collections: () => MemoryCollections;
  /** Whether this instance applies the events of an agent. */
  readonly isHere: (agentKey: string) => boolean;
}

interface Waiting {
  readonly agentKey: string;
  readonly settle: (row: StoredOperation | undefined) => void;
}

/**
 * Those who wait for an operation to end. Where this instance applies its events they are told at once; else all of them
 * cost one query ten times a second.
 */
export class OperationWaiters {
  readonly #options: OperationWaitersOptions;
  readonly #waiting = new Map<string, Set<Waiting>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OperationWaitersOptions) {
    this.#options = options;
  }

  /** The operation once it is completed, failed or cancelled; undefined when that takes longer than `waitMs`. */
  wait({ operationId, agentKey, waitMs }: AwaitedOperation): Promise<StoredOperation | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (row: StoredOperation | undefined) => {
        clearTimeout(timer);
        this.#remove(operationId, waiting);
        resolve(row);
      };
      const waiting: Waiting = { agentKey, settle };
      const timer = setTimeout(() => settle(undefined), waitMs);
      this.#waiting.set(operationId, (this.#waiting.get(operationId) ?? new Set()).add(waiting));
      // It may have ended before anybody waited.
      this.#findSettled([operationId]).catch((error: unknown) => {
        reject(error);
        settle(undefined);
      });
      this.#lookLater();
    });
  }

  /** Tells those who wait for any of these operations. @param rows what was just written of operations */
  applied(rows: Iterable<StoredOperation>): void {
    for (const row of rows) {
      if (row.settledSequence === null) continue;
      for (const { settle } of this.#waiting.get(row._id) ?? []) settle(row);
    }
  }

  #lookLater(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    const isTold = all.every(({ agentKey }) => this.#options.isHere(agentKey));
    this.#timer = setTimeout(() => void this.#look(), isTold ? recheckMs : recheckElsewhereMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    await this.#findSettled([...this.#waiting.keys()]).catch(() => undefined);
    this.#timer = undefined;
    this.#lookLater();
  }

  async #findSettled(ids: readonly string[]): Promise<void> {
    const filter = { _id: { $in: [...ids] }, settledSequence: { $ne: null } };
    const rows = await this.#options
      .collections()
      .operations.find(filter, { projection: { pendingText: 0 } })
      .toArray();
    this.applied(rows);
  }

  #remove(operationId: string, waiting: Waiting): void {
    const all = this.#waiting.get(operationId);
    all?.delete(waiting);
    if (all?.size === 0) this.#waiting.delete(operationId);
  }
}
