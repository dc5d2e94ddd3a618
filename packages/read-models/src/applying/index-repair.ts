import { isUnavailable } from '@mneme/service-kit';
import { LineLimit } from '@mneme/workers/line-limit';
import type { ReadModelLogger, ReadModelStore } from '../definition.ts';
import { isIndexMissing, saidByStore } from '../errors.ts';

/** Between the end of an attempt and the next one, in milliseconds. */
const betweenAttemptsMs = 10_000;
/** How long the outcome of an attempt is told, in milliseconds. */
const outcomeMs = 600_000;

export interface IndexRepairOptions {
  /** The version, such as `memory@3`. */
  readonly key: string;
  readonly store: Pick<ReadModelStore<never, unknown>, 'createIndexes'>;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
}

/** Makes the indexes of a version again that somebody dropped. */
export class IndexRepair {
  readonly #options: IndexRepairOptions;
  readonly #lines = new LineLimit();
  #isAtWork = false;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** What the last attempt that was asked for has come to. */
  #outcome: string | undefined;

  constructor(options: IndexRepairOptions) {
    this.#options = options;
  }

  /** Makes those that are gone. It may take long, and fails beside an index of another name that serves as well. */
  async createIndexes(): Promise<void> {
    await this.#attempt();
  }

  /** To be called with whatever has failed: begins an attempt if an index is missing, unless one is going on or has just ended. */
  note(failure: unknown): void {
    if (!isIndexMissing(failure) || this.#isAtWork) return;
    const sinceMs = performance.now() - this.#endedAt;
    if (sinceMs < betweenAttemptsMs) return;
    if (sinceMs >= outcomeMs) this.#outcome = undefined;
    this.#warn(failure, 'An index of a read model is gone and is made again');
    void this.#attempt().then((outcome) => {
      this.#outcome = outcome;
      this.#endedAt = performance.now();
    });
  }

  /** What is to be said of an index that is missing, after "An index of the read model". */
  get state(): string {
    return this.#outcome ?? 'is being made again; try again';
  }

  /** @returns what it has come to; undefined when the client did not wait for the end, and the server goes on */
  async #attempt(): Promise<string | undefined> {
    const { store, signal } = this.#options;
    this.#isAtWork = true;
    try {
      await store.createIndexes?.();
      return 'is there and cannot be used: it may be hidden';
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      if (!signal.aborted) this.#warn(error, 'Indexes of a read model could not be made again');
      return `could not be made again: ${saidByStore(error)}`;
    } finally {
      this.#isAtWork = false;
    }
  }

  #warn(error: unknown, message: string): void {
    const { key, logger } = this.#options;
    this.#lines.write((omitted) => logger.warn({ err: error, readModel: key, ...omitted }, message));
  }
}
