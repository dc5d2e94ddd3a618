import { sleep } from '@mneme/workers/waits';
import type { BatchLimits, GiveWay } from '../definition.ts';

/** How much one batch applies, and how many batches are applied at once. */
export interface Speed {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly batchesAtOnce: number;
  /** Limits for heavy lanes: those with many waiting events, which are applied apart from the others. */
  readonly heavyBytes: number;
  readonly heavyAtOnce: number;
}

const defaults = { maxEvents: 500, maxBytes: 4 * 1024 * 1024 };
/** The speed of a version while it gives way to the one that answers. */
const small: Speed = { maxEvents: 25, maxBytes: 64 * 1024, batchesAtOnce: 1, heavyBytes: 64 * 1024, heavyAtOnce: 1 };
/** The limits for heavy lanes while questions come, so that the others do not wait for long. */
const inUse = { heavyBytes: 128 * 1024, heavyAtOnce: 1 };
/** The rest after a batch of a version that gives way, as a multiple of the time of the batch. */
const restShare = 2;
/** The same after a heavy batch of the version that answers. */
const restShareOfHeavy = 1;
/** The same after a step of maintenance for which no caller waits. */
const restShareOfMaintenance = 3;
const longestRestMs = 1_000;
/** Reaching the head that there was must take a smaller share of the time each time, or the version would never catch up. */
const convergence = 0.8;
/** How long a read model counts as in use after a question, in milliseconds. */
const inUseMs = 1_000;
/** How long a question takes if nothing else runs, in milliseconds. */
const questionMs = 40;
/** The longest time that a heavy batch waits for questions in all, in milliseconds; they may come without end. */
const longestGivingWayMs = 500;
/** The same for a step of maintenance that a caller waits for. */
const longestGivingWayOfAwaitedMs = 100;
/** A version that is no further behind than this is taken as caught up, in milliseconds. */
const closeMs = 5_000;

export interface PaceOptions {
  readonly limits: BatchLimits | undefined;
  readonly batchesAtOnce: number;
  /** Whether another version answers questions, which are to go first. */
  readonly isToGiveWay: () => boolean;
  /** How long ago the last question came, in milliseconds. */
  readonly unusedMs: () => number;
  /** Ends a rest. */
  readonly signal: AbortSignal;
}

/**
 * Controls how fast a version is written. While a version is built beside the one that answers, it gives way: it applies small
 * batches and rests between them. If it does not catch up that way, it stops resting, and then runs at full speed.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #full: Speed;
  /** The head that is to be reached, since when, and how long that took for the one before. */
  #goal = { head: 0, since: performance.now(), lastMs: Number.POSITIVE_INFINITY };
  /** How often it was found that it would never catch up. */
  #hurry = 0;
  /** How long the current heavy batch has given way to questions, in milliseconds. While they come, one runs at a time. */
  #gaveWayMs = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
    const { limits, batchesAtOnce } = options;
    const full = { ...defaults, ...limits, batchesAtOnce };
    this.#full = { ...full, heavyBytes: full.maxBytes, heavyAtOnce: batchesAtOnce };
  }

  get speed(): Speed {
    if (this.#hurry < 2 && this.#isToGiveWay()) return small;
    return this.#isInUse() ? { ...this.#full, ...inUse } : this.#full;
  }

  /** Rests after a batch, if others are to be served first. @param isHeavy whether it was of a heavy lane */
  restAfter(batchMs: number, isHeavy: boolean): Promise<void> {
    return this.#restAfter(batchMs, isHeavy, restShareOfHeavy);
  }

  /** The same after a step of maintenance. @param isAwaited whether a caller waits for it */
  restAfterMaintenance(pieceMs: number, isAwaited: boolean): Promise<void> {
    return this.#restAfter(pieceMs, true, isAwaited ? restShareOfHeavy : restShareOfMaintenance);
  }

  async #restAfter(batchMs: number, isHeavy: boolean, shareWhereInUse: number): Promise<void> {
    const gaveWayMs = isHeavy ? this.#gaveWayMs : 0;
    if (isHeavy) this.#gaveWayMs = 0;
    const isBeside = this.#isToGiveWay();
    if (isBeside ? this.#hurry > 0 : !isHeavy || !this.#isInUse()) return;
    const workMs = batchMs - gaveWayMs;
    const restMs = Math.min(longestRestMs, workMs * (isBeside ? restShare : shareWhereInUse)) - gaveWayMs;
    if (restMs > 0) await sleep(restMs, this.#options.signal);
  }

  /**
   * Returns what a heavy batch awaits between two steps: it resolves when a question that has just come should be answered. The
   * rest after the batch becomes shorter by this time.
   * @param isAwaited whether it is maintenance that a caller waits for
   * @returns undefined if the batch need not wait
   */
  giveWay(isHeavy: boolean, isAwaited = false): GiveWay | undefined {
    const longestMs = isAwaited ? longestGivingWayOfAwaitedMs : longestGivingWayMs;
    const isInHurry = this.#hurry > 0 && this.#isToGiveWay();
    return isHeavy && !isInHurry && this.#isInUse() ? () => this.#letQuestionsPass(longestMs) : undefined;
  }

  async #letQuestionsPass(longestMs: number): Promise<void> {
    const { signal, unusedMs } = this.#options;
    for (;;) {
      const leftMs = Math.min(questionMs - unusedMs(), longestMs - this.#gaveWayMs);
      if (leftMs <= 0 || signal.aborted) return;
      const startedAt = performance.now();
      await sleep(leftMs, signal);
      this.#gaveWayMs += performance.now() - startedAt;
    }
  }

  #isToGiveWay(): boolean {
    return this.#isInUse() && this.#options.isToGiveWay();
  }

  #isInUse(): boolean {
    return this.#options.unusedMs() < inUseMs;
  }

  /** Notes how far the version and its log are, in sequences; to be called now and then. */
  note(position: number, head: number): void {
    if (position < this.#goal.head) return;
    const tookMs = performance.now() - this.#goal.since;
    const isClose = tookMs < closeMs || !this.#isToGiveWay();
    if (isClose) this.#hurry = 0;
    else if (tookMs > this.#goal.lastMs * convergence) this.#hurry += 1;
    this.#goal = { head, since: performance.now(), lastMs: isClose ? Number.POSITIVE_INFINITY : tookMs };
  }
}
