import { ConflictError, EventLogUnavailableError } from '@mneme/event-store';
import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import type { ReadModelLogger, ReadModelStore } from '../definition.ts';
import { FencedError, isIndexMissing, reasonOf } from '../errors.ts';
import type { Lane } from '../lanes/lane.ts';
import type { IndexRepair } from './index-repair.ts';
import type { TakenLane } from './scheduler.ts';
import { isStoreFailure } from './store-failures.ts';

export interface LaneGuardOptions {
  /** The read model's name, for the log. */
  readonly name: string;
  /** Whether this instance may surely write now. */
  readonly isHeld: () => boolean;
  readonly isStopped: () => boolean;
  /** Called when a lane was taken over by another instance. */
  readonly onLost: (lane: Lane) => void;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
  /** How long a store may fail for an event and take other writes meanwhile, in milliseconds; 300 000 unless given. */
  readonly storeFailureMs?: number | undefined;
}

/** A lane is no longer this instance's, or everything is being stopped. */
export class LaneLostError extends Error {
  override readonly name = 'LaneLostError';
}

/** The lease could not be renewed in time, so that another instance may write by now. */
export class LeaseLapsedError extends Error {
  override readonly name = 'LeaseLapsedError';

  constructor() {
    super('The lease of the lane was not renewed in time');
  }
}

/** What may end for the same event by itself: something is away, was taken over, or is written by others just now. */
const passing = [ConflictError, EventLogUnavailableError, FencedError, LaneLostError, LeaseLapsedError];

/**
 * Whose fault a failure is. `none`: a store, the log, the lease or an index is away, or others write too. `unclear`: a store
 * has failed which takes other writes.
 */
export type Fault = 'events' | 'unclear' | 'none';

/** What is asked and told when events could not be written. */
export interface WrittenWith {
  readonly store: Pick<ReadModelStore<never, unknown>, 'acceptsWrites'>;
  readonly indexes: Pick<IndexRepair, 'note'>;
}

/** Finds out whether the events that could not be written are the cause. An index that was missing is made again. */
export async function faultOf({ store, indexes }: WrittenWith, error: unknown): Promise<Fault> {
  indexes.note(error);
  if (isIndexMissing(error) || passing.some((each) => error instanceof each)) return 'none';
  if (!(await store.acceptsWrites().catch(() => false))) return 'none';
  return isStoreFailure(error) ? 'unclear' : 'events';
}

/** How often a single event is tried before it is given up. */
export const triesOfEvent = 4;
/** A store that fails for an event may recover, in milliseconds. */
const defaultStoreFailureMs = 300_000;

/** Weighs the failures of a batch in a row. */
export class Suspicion {
  readonly #storeFailureMs: number;
  #tries = 0;
  #unclearSince: number | undefined;
  /** How often it has failed while the store took other writes. */
  failures = 0;

  constructor({ storeFailureMs = defaultStoreFailureMs }: Pick<LaneGuardOptions, 'storeFailureMs'>) {
    this.#storeFailureMs = storeFailureMs;
  }

  note(fault: Fault): void {
    if (fault !== 'none') this.failures += 1;
    if (fault === 'events') this.#tries += 1;
    this.#unclearSince = fault === 'unclear' ? (this.#unclearSince ?? performance.now()) : undefined;
  }

  /** Whether a single event has to be the cause: it was refused often enough, or a store has failed for it alone for long. */
  get isSettled(): boolean {
    if (this.#tries >= triesOfEvent) return true;
    return this.#unclearSince !== undefined && performance.now() - this.#unclearSince >= this.#storeFailureMs;
  }
}

const firstRetryMs = 100;
const longestRetryMs = 15_000;

/** Decides whether this instance may write a lane, and keeps account of its failures. */
export class LaneGuard {
  readonly #options: LaneGuardOptions;
  readonly #failures = new LineLimit();

  constructor(options: LaneGuardOptions) {
    this.#options = options;
  }

  /** @throws LaneLostError when the lane was given up or opened again since its messages were taken */
  assertOwned({ lane, opening }: Pick<TakenLane, 'lane' | 'opening'>): void {
    if (!lane.isOwned || lane.opening !== opening || this.#options.isStopped()) throw new LaneLostError();
  }

  /** @throws LeaseLapsedError */
  assertHeld(): void {
    if (!this.#options.isHeld()) throw new LeaseLapsedError();
  }

  /** Gives up a lane that another instance has fenced. @throws LaneLostError */
  lose(lane: Lane): never {
    this.#options.onLost(lane);
    throw new LaneLostError();
  }

  /** Gives up a lane with messages that were taken and not applied, unless it was opened again meanwhile. */
  giveUp({ lane, opening }: Pick<TakenLane, 'lane' | 'opening'>): void {
    if (lane.isOwned && lane.opening === opening && !lane.isIdle) this.#options.onLost(lane);
  }

  suspect(): Suspicion {
    return new Suspicion(this.#options);
  }

  noteFailure(lane: Lane, error: unknown): void {
    const { inARow } = lane.noteFailure(reasonOf(error));
    const { logger, name } = this.#options;
    const about = { err: error, readModel: name, lane: lane.index, inARow };
    this.#failures.write((omitted) => logger.error({ ...about, ...omitted }, 'A read model could not be written'));
  }

  /** @param waits how often was waited already */
  pauseBeforeRetry(waits: number): Promise<void> {
    return pauseBeforeRetry(waits, this.#options.signal);
  }
}

/** Waits longer each time; ends at once when everything is stopped. @param waits how often was waited already */
export async function pauseBeforeRetry(waits: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(firstRetryMs * 3 ** waits, longestRetryMs), signal);
}
