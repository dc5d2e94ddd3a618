import { isUnavailable } from '@mneme/service-kit';
import { LineLimit } from '@mneme/workers/line-limit';
import type { ReadModelLogger, ReadModelStore } from '../definition.ts';
import { isIndexMissing, saidByStore } from '../errors.ts';

/** Between the end of an attempt and the next one, in milliseconds. */
const betweenAttemptsMs = 10_000;

export interface IndexRepairOptions {
  /** The version, such as `memory@3`. */
  readonly key: string;
  readonly store: Pick<ReadModelStore<never, unknown>, 'createIndexes'>;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
}

/** How an attempt has ended. */
interface Outcome {
  /** Why not all indexes are there; undefined: they are. */
  readonly failure?: string;
}

const beingMade = 'is being made again; try again';

/** Makes the indexes of a version again that somebody dropped. */
export class IndexRepair {
  readonly #options: IndexRepairOptions;
  readonly #lines = new LineLimit();
  #isAtWork = false;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** What the last attempt has come to that `note` has begun. */
  #outcome: Outcome | undefined;

  constructor(options: IndexRepairOptions) {
    this.#options = options;
  }

  /** Makes those that are gone. It may take long. */
  async createIndexes(): Promise<void> {
    await this.#attempt();
  }

  /** To be called with whatever has failed: begins an attempt if an index is missing, unless one is going on or has just ended. */
  note(failure: unknown): void {
    if (!isIndexMissing(failure) || this.#isAtWork) return;
    if (performance.now() - this.#endedAt < betweenAttemptsMs) return;
    this.#warn(failure, 'An index of a read model is gone and is made again');
    void this.#attempt().then((outcome) => {
      this.#outcome = outcome;
      this.#endedAt = performance.now();
    });
  }

  /**
   * What is to be said of an index that a query lacks, after "An index of the read model".
   * @param beganAt when the query began, by `performance.now()`: an index that was made since then did not help it
   */
  stateFor(beganAt: number): string {
    const why = this.#outcome?.failure;
    if (this.#isAtWork) return why === undefined ? beingMade : `${beingMade}. It could not be made before: ${why}`;
    if (why !== undefined) return `could not be made again: ${why}`;
    return this.#outcome && beganAt > this.#endedAt ? 'is there and cannot be used: it may be hidden' : beingMade;
  }

  /** @returns undefined when the client did not wait for the end, and the server goes on */
  async #attempt(): Promise<Outcome | undefined> {
    const { store, signal } = this.#options;
    this.#isAtWork = true;
    try {
      await store.createIndexes?.();
      return {};
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      if (!signal.aborted) this.#warn(error, 'Indexes of a read model could not be made again');
      return { failure: saidByStore(error) };
    } finally {
      this.#isAtWork = false;
    }
  }

  #warn(error: unknown, message: string): void {
    const { key, logger } = this.#options;
    this.#lines.write((omitted) => logger.warn({ err: error, readModel: key, ...omitted }, message));
  }
}
