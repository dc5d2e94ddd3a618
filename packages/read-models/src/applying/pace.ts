import { sleep } from '@mneme/workers/waits';
import type { BatchLimits, GiveWay } from '../definition.ts';

/** How much is applied in one go, and how often at once. */
export interface Speed {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly batchesAtOnce: number;
  /** Limits of lanes with much waiting, which are applied apart from the others. */
  readonly heavyBytes: number;
  readonly heavyAtOnce: number;
}

const defaults = { maxEvents: 500, maxBytes: 4 * 1024 * 1024 };
/** What a version does in one go while it gives way. */
const small: Speed = { maxEvents: 25, maxBytes: 64 * 1024, batchesAtOnce: 1, heavyBytes: 64 * 1024, heavyAtOnce: 1 };
/** Of lanes with much waiting, so that those with little have their turn soon while questions come. */
const inUse = { heavyBytes: 128 * 1024, heavyAtOnce: 1 };
/** After any other batch, a rest is so many times as long as the batch. */
const restShare = 2;
/** After a large batch of a version that answers questions itself, a rest is so many times as long as the batch. */
const restShareOfHeavy = 1;
/** After a piece of what events have left to do, for which no caller waits, a rest is so many times as long as the piece. */
const restShareOfMaintenance = 3;
const longestRestMs = 1_000;
/** Reaching the head that there was must take a smaller share of the time each time, or the version would never catch up. */
const convergence = 0.8;
/** A read model counts as in use for so long after a question, in milliseconds. */
const inUseMs = 1_000;
/** A question has been answered after so long, if nothing else is at work, in milliseconds. */
const questionMs = 40;
/** A large batch waits for questions for so long in all, in milliseconds; they may come without end. */
const longestGivingWayMs = 500;
/** The same for a piece of what events have left to do that somebody waits for. */
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
 * How fast a version is written. One that is built beside a version which answers questions at the same time leaves it
 * most of the machine: it applies little at a time, and rests in between. If it does not catch up that way, it rests no
 * more, and in the end goes as fast as it can.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #full: Speed;
  /** The head that is to be reached, since when, and how long that took for the one before. */
  #goal = { head: 0, since: performance.now(), lastMs: Number.POSITIVE_INFINITY };
  /** How often it turned out that it would never catch up. */
  #hurry = 0;
  /** How long the present large batch has given way to questions, in milliseconds. While they come, there is one at a time. */
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

  /** Rests after a batch, if others are to be served first. @param isHeavy whether it was of one lane with much waiting */
  restAfter(batchMs: number, isHeavy: boolean): Promise<void> {
    return this.#restAfter(batchMs, isHeavy, restShareOfHeavy);
  }

  /** The same after a piece of what events have left to do. @param isAwaited whether somebody waits for it */
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
   * What a large batch is to await between two steps, if questions come right now: it waits until one that has just come should
   * be answered. This shortens the rest after the batch.
   * @param isAwaited whether it is maintenance that somebody waits for
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
