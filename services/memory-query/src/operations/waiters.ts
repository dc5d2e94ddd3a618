import type { MemoryCollections, StoredOperation } from '../read-model/rows.ts';

/** How often awaited operations are polled if this instance applies their events, in milliseconds. */
const pollMs = 1_000;
/** The same if another instance applies their events. */
const pollElsewhereMs = 100;

export interface AwaitedOperation {
  readonly operationId: string;
  readonly agentKey: string;
  readonly waitMs: number;
}

export interface OperationWaitersOptions {
  /** The collections of the current version. */
  readonly collections: () => MemoryCollections;
  /** Whether this instance applies the events of an agent. */
  readonly isHere: (agentKey: string) => boolean;
}

interface Waiting {
  readonly agentKey: string;
  readonly settle: (row: StoredOperation | undefined) => void;
}

/**
 * Requests that wait for an operation to end. If this instance applies its events, they are notified at once; otherwise one
 * query for all of them runs ten times a second.
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
      // The operation may have ended before.
      this.#findSettled([operationId]).catch((error: unknown) => {
        reject(error);
        settle(undefined);
      });
      this.#schedulePoll();
    });
  }

  /** Notifies the requests that wait for one of these operations. @param rows the operations that were just written */
  applied(rows: Iterable<StoredOperation>): void {
    for (const row of rows) {
      if (row.settledSequence === null) continue;
      for (const { settle } of this.#waiting.get(row._id) ?? []) settle(row);
    }
  }

  #schedulePoll(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    const isNotified = all.every(({ agentKey }) => this.#options.isHere(agentKey));
    this.#timer = setTimeout(() => void this.#poll(), isNotified ? pollMs : pollElsewhereMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    await this.#findSettled([...this.#waiting.keys()]).catch(() => undefined);
    this.#timer = undefined;
    this.#schedulePoll();
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
