import type { MemoryCollections, StoredOperation } from '../read-model/rows.ts';
import type { CreatedUnit } from '../units/created-units.ts';

/** How often awaited operations are polled if this instance applies their events, in milliseconds. */
const pollMs = 1_000;
/** The same if another instance applies their events. */
const pollElsewhereMs = 100;

export interface AwaitedOperation {
  readonly operationId: string;
  readonly agentKey: string;
  /** The sequence of the submission. */
  readonly submittedSequence: number;
  readonly waitMs: number;
}

/** An operation that has ended. */
export interface EndedOperation {
  readonly operation: StoredOperation;
  /** The units that it has created, if this instance has just written all of them; otherwise they have to be read. */
  readonly created?: readonly CreatedUnit[] | undefined;
}

export interface OperationWaitersOptions {
  /** The collections of the current version. */
  readonly collections: () => MemoryCollections;
  /** Whether this instance applies the events of an agent. */
  readonly isHere: (agentKey: string) => boolean;
  /** The sequence up to which the events of an agent are applied, as far as this instance knows. */
  readonly position: (agentKey: string) => number;
}

interface Waiting {
  readonly agentKey: string;
  readonly settle: (ended: EndedOperation | undefined) => void;
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
  wait({ operationId, agentKey, submittedSequence, waitMs }: AwaitedOperation): Promise<EndedOperation | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (ended: EndedOperation | undefined) => {
        clearTimeout(timer);
        this.#remove(operationId, waiting);
        resolve(ended);
      };
      const waiting: Waiting = { agentKey, settle };
      const timer = setTimeout(() => settle(undefined), waitMs);
      this.#waiting.set(operationId, (this.#waiting.get(operationId) ?? new Set()).add(waiting));
      this.#schedulePoll();
      const { isHere, position } = this.#options;
      // This instance has yet to apply the submission, and will notify this request when it applies the end.
      if (isHere(agentKey) && position(agentKey) < submittedSequence) return;
      // The operation may have ended before.
      this.#findSettled([operationId]).catch((error: unknown) => {
        reject(error);
        settle(undefined);
      });
    });
  }

  /**
   * Notifies the requests that wait for one of these operations.
   * @param operations that were just written
   * @param createdBy the units of an operation, if all of them were just written with it
   */
  applied(
    operations: Iterable<StoredOperation>,
    createdBy: (operationId: string) => readonly CreatedUnit[] | undefined = () => undefined,
  ): void {
    for (const operation of operations) {
      const waiting = this.#waiting.get(operation._id);
      if (operation.settledSequence === null || !waiting) continue;
      const ended = { operation, created: createdBy(operation._id) };
      for (const { settle } of waiting) settle(ended);
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
