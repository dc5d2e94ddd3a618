import { ConflictError, EventLogUnavailableError } from '@mneme/event-store';
import { sleep } from '@mneme/workers/waits';
import type { ReadModelLogger, ReadModelStore } from '../definition.ts';
import { FencedError, reasonOf } from '../errors.ts';
import type { Lane } from '../lanes/lane.ts';
import type { TakenLane } from './scheduler.ts';

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

/** Whether events are the cause of a failure. They are not while a store, the log or the lease is away, or others write too. */
export async function isFaultOfEvents(
  store: Pick<ReadModelStore<never, unknown>, 'isReachable'>,
  error: unknown,
): Promise<boolean> {
  if (passing.some((each) => error instanceof each)) return false;
  return store.isReachable().catch(() => false);
}

/** A single event is tried so often before it is given up. */
export const triesOfEvent = 4;
const firstRetryMs = 100;
const longestRetryMs = 15_000;

/** Decides whether this instance may write a lane, and keeps account of its failures. */
export class LaneGuard {
  readonly #options: LaneGuardOptions;

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

  noteFailure(lane: Lane, error: unknown): void {
    const { inARow } = lane.noteFailure(reasonOf(error));
    const { logger, name } = this.#options;
    const about = { err: error, readModel: name, lane: lane.index, inARow };
    logger.error(about, 'A read model could not be written');
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
