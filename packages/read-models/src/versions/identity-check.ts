import { eventIdOf, type Log, messageAt, type StreamState, streamState } from '@mneme/event-store';
import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import type { ReadModelLogger, ReadModelStore } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import type { LaneCheckpoint, LaneCheckpoints, SeenEvent } from '../lanes/checkpoints.ts';
import { untilNext } from '../mongo/combined.ts';

/** How often to ask the log after a reconnect until it has answered, in milliseconds. */
const suspectEveryMs = 1_000;
/** How often to ask meanwhile whether it has, in milliseconds. */
const certainEveryMs = 50;

/** A replica that has just become the leader of the stream may not have all of it at hand for a moment, in milliseconds. */
const newLeaderMs = 1_000;

/** What was read of a log. */
type Reached = Pick<LaneCheckpoint, 'position' | 'log' | 'lastEvent'>;

export interface IdentityCheckOptions {
  /** Such as `memory@3`. */
  readonly key: string;
  readonly log: Log;
  readonly store: Pick<ReadModelStore<never, unknown>, 'identity'>;
  readonly checkpoints: Pick<LaneCheckpoints, 'read'>;
  /** How many checkpoints there have to be. */
  readonly lanes: number;
  /**
   * What this instance has read. The checkpoints of a bucket are in NATS like the log, so that both can be restored from the
   * same backup and fit together, and an instance that runs meanwhile is ahead of both.
   */
  readonly read: () => Reached;
  /** What the store's parts were when the version was made. */
  readonly identity: Readonly<Record<string, string>>;
  /** How often the log and the stores are compared, in milliseconds. */
  readonly everyMs: number;
  /** Called with the state of the log, each time it was read. */
  readonly onState: (state: StreamState) => void;
  /** Called once, when something is not as it was made. */
  readonly onMismatch: () => void;
  /** Called after each comparison. */
  readonly onChecked: () => void;
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
}

/** Sees to it that a version is written only as long as its log and its stores are those that it was made with. */
export class IdentityCheck {
  readonly #options: IdentityCheckOptions;
  readonly #failures = new LineLimit();
  #mismatch: string | undefined;
  #isSuspect = false;
  /** How often something was in doubt. */
  #doubts = 0;
  #trouble: string | undefined;

  constructor(options: IdentityCheckOptions) {
    this.#options = options;
  }

  /** What is not as it was made, in one sentence; undefined when all is well. */
  get mismatch(): string | undefined {
    return this.#mismatch;
  }

  /** After a reconnect nothing is to be applied until it is clear that the log is still the same. */
  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Why it could not be looked; undefined when it could. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** @returns what is wrong; once something is, it stays wrong */
  async look(): Promise<string | undefined> {
    if (this.#mismatch !== undefined) return this.#mismatch;
    const found = (await this.#findLogMismatch()) ?? (await this.#findStoreMismatch());
    if (found !== undefined && this.#mismatch === undefined) this.#options.onMismatch();
    this.#mismatch ??= found;
    return this.#mismatch;
  }

  /** To be called after a reconnect, and when the connection to a store is lost. */
  async lookAgain(): Promise<void> {
    this.#isSuspect = true;
    this.#doubts += 1;
    await this.#lookOnce();
  }

  /** Waits until nothing is in doubt. @returns false when that takes longer than `waitMs` milliseconds */
  async isCertain(waitMs: number): Promise<boolean> {
    const { signal } = this.#options;
    const deadline = performance.now() + waitMs;
    while (this.#isSuspect && !signal.aborted && performance.now() < deadline) await sleep(certainEveryMs, signal);
    return !this.#isSuspect;
  }

  /** Looks again and again until everything is stopped. */
  async run(): Promise<void> {
    const { signal, everyMs } = this.#options;
    while (!signal.aborted) {
      await sleep(untilNext(this.#isSuspect ? Math.min(suspectEveryMs, everyMs) : everyMs), signal);
      if (!signal.aborted) await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    const { key, logger, onChecked } = this.#options;
    const doubts = this.#doubts;
    try {
      await this.look();
      // It may have looked at the server before the connection was lost.
      if (doubts === this.#doubts) this.#isSuspect = false;
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = reasonOf(error);
      this.#failures.write((omitted) =>
        logger.warn(
          { err: error, readModel: key, ...omitted },
          'Waiting to check the log and the stores of a read model',
        ),
      );
    }
    onChecked();
  }

  /** The checkpoints first: they may move on meanwhile, and never beyond the log as it is afterwards. */
  async #findLogMismatch(): Promise<string | undefined> {
    const { key, log, checkpoints, lanes, read, onState, signal } = this.#options;
    const stored = await checkpoints.read();
    if (stored.length < lanes) return `A checkpoint of the read model ${key} is gone`;
    const reached = [read(), ...stored];
    let state = await streamState(log);
    if (reached.some(({ position }) => position > state.head)) {
      await sleep(newLeaderMs, signal);
      state = await streamState(log);
    }
    onState(state);
    return findMismatch(log, state, reached);
  }

  async #findStoreMismatch(): Promise<string | undefined> {
    const { store, identity, key } = this.#options;
    const now = await store.identity();
    for (const [part, id] of Object.entries(identity)) {
      if (now[part] === undefined) return `${part} of the read model ${key} is gone`;
      if (now[part] !== id) return `${part} of the read model ${key} is not the one that was filled`;
    }
    return undefined;
  }
}

/**
 * Finds out whether checkpoints belong to a log. A stream that was restored from an older backup, or made anew, gives
 * sequences a second time; what is appended then would be taken for what was applied before.
 * @returns what does not fit, in one sentence; undefined when everything fits
 */
async function findMismatch(
  log: Log,
  { createdAt, head }: StreamState,
  checkpoints: readonly Reached[],
): Promise<string | undefined> {
  for (const checkpoint of checkpoints) {
    if (checkpoint.log !== null && checkpoint.log !== createdAt) {
      return `The stream ${log.stream} was created at ${createdAt}; the read model was built from one created at ${checkpoint.log}`;
    }
    if (checkpoint.position > head) {
      return `The stream ${log.stream} ends at ${head}, before event ${checkpoint.position} which the read model has applied`;
    }
  }
  const witnesses = checkpoints.flatMap(({ lastEvent }) => lastEvent ?? []);
  const other = await newestOther(log, witnesses);
  return other === undefined
    ? undefined
    : `The stream ${log.stream} has another event at ${other} than the one that the read model has applied`;
}

/**
 * A log only grows: one that is another at some event is another at every younger one, so that the youngest tells. An
 * event that was erased says nothing.
 */
async function newestOther(log: Log, witnesses: readonly SeenEvent[]): Promise<number | undefined> {
  for (const { sequence, id } of witnesses.toSorted((left, right) => right.sequence - left.sequence)) {
    const message = await messageAt(log, sequence);
    if (message) return eventIdOf(message) === id ? undefined : sequence;
  }
  return undefined;
}
