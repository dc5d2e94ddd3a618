import { setTimeout as pause } from 'node:timers/promises';
import { retryGoesOn } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Deferral, Lane } from './lane.ts';
import type { LanePositions } from './lane-positions.ts';
import { askLane, type LaneAnswer, type LaneRequest, laneSubject } from './lane-requests.ts';

/** What to retry in a lane. */
export interface Retry {
  readonly lane: Lane;
  readonly aggregate: string;
  /** The sequence of an event to leave out for good. */
  readonly discarded: number | undefined;
  /** How long the lane is waited for, in milliseconds. */
  readonly waitMs: number;
}

export interface LaneAccessOptions {
  readonly connection: NatsConnection;
  /** Such as `memory@3`. */
  readonly key: string;
  readonly positions: LanePositions;
  /** Retries in a lane that this instance holds. */
  readonly retryHere: (retry: Retry) => Promise<LaneAnswer>;
  /** Called when a request waits for a lane, so that what is held back there is applied. */
  readonly onAwaited: () => void;
  /** Leaves a lane to another instance. @returns false if this instance goes on with it */
  readonly giveAway: (lane: Lane) => boolean;
  /** What waits in a lane, as far as this instance knows. */
  readonly deferralsIn: (lane: Lane) => readonly Deferral[];
  /** Called with what waits in a lane of another instance, as soon as that has told. */
  readonly onDeferred: (deferrals: readonly Deferral[]) => void;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
}

/** Applying everything that an aggregate has waited with may take its time, in milliseconds. */
const retryWaitMs = 110_000;
/** After this time the instance that holds a lane is found again, in milliseconds. */
const maxAttemptMs = 1_000;
const betweenAttemptsMs = 20;
/** How long the answer to a request for a lane is waited for, in milliseconds. */
const yieldWaitMs = 1_000;
/** The most aggregates that wait in a lane and are named in an answer; all are read at every renewal. */
const maxDeferralsTold = 10;

/** Waits for lanes and retries their aggregates, whichever instance holds them, and answers when others ask for it. */
export class LaneAccess {
  readonly #options: LaneAccessOptions;

  constructor(options: LaneAccessOptions) {
    this.#options = options;
  }

  /**
   * Waits until a sequence is applied: in the lane of an aggregate, or in all lanes.
   * @returns false when that takes longer than `waitMs` milliseconds
   */
  async await(sequence: number, waitMs: number, aggregate?: string): Promise<boolean> {
    const lanes = this.#options.positions.lanesOf(aggregate);
    const done = await Promise.all(lanes.map((lane) => this.#awaitLane(lane, sequence, waitMs, aggregate ?? null)));
    return done.every(Boolean);
  }

  /**
   * Applies what an aggregate has waited with.
   * @throws Error with the reason when it still cannot be applied; WireError 504 when the lane does not answer in time
   */
  async retry(aggregate: string, discarded?: number): Promise<void> {
    const lane = this.#options.positions.laneOf(aggregate);
    if (!lane) throw new Error(`There is no lane for ${aggregate}`);
    const answer = lane.isOwned
      ? await this.retryHere(lane, aggregate, discarded)
      : await this.#ask(lane, { type: 'retry', aggregate, discarded: discarded ?? null }, retryWaitMs);
    if (!answer.done) throw answer.reason === null ? retryGoesOn() : new Error(answer.reason);
  }

  /** The same for a lane that this instance holds. */
  retryHere(lane: Lane, aggregate: string, discarded?: number): Promise<LaneAnswer> {
    return this.#options.retryHere({ lane, aggregate, discarded, waitMs: retryWaitMs });
  }

  /** Asks the instance that holds a lane to leave it to another one. */
  async askToYield(lane: Lane): Promise<void> {
    await this.#ask(lane, { type: 'yield' }, yieldWaitMs);
  }

  /** Answers another instance. */
  async answer(lane: Lane, request: LaneRequest): Promise<LaneAnswer> {
    if (request.type === 'yield') {
      const isGiven = this.#options.giveAway(lane);
      return { done: isGiven, reason: isGiven ? null : 'This instance knows the types of all events in the lane' };
    }
    if (request.type === 'retry') return this.retryHere(lane, request.aggregate, request.discarded ?? undefined);
    const done = await this.#awaitLane(lane, request.sequence, request.waitMs, request.aggregate);
    return { done, reason: null, deferrals: this.#deferralsUpTo(lane, request.sequence, request.aggregate) };
  }

  #deferralsUpTo(lane: Lane, sequence: number, wanted: string | null): readonly Deferral[] {
    const isMeant = ({ aggregate, from }: Deferral) => from <= sequence && (wanted === null || aggregate === wanted);
    const found = this.#options.deferralsIn(lane).filter(isMeant);
    return found.sort((left, right) => right.from - left.from).slice(0, maxDeferralsTold);
  }

  /** In several attempts: the lane may change hands meanwhile, and a request or its reply is lost with a connection. */
  async #awaitLane(lane: Lane, sequence: number, waitMs: number, aggregate: string | null): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const attemptMs = Math.max(1, Math.min(deadline - performance.now(), maxAttemptMs));
      if (await this.#awaitOnce(lane, sequence, attemptMs, aggregate)) return true;
      if (this.#options.signal.aborted || performance.now() >= deadline) return false;
      // An attempt ends at once when the lane is just changing hands.
      await pause(betweenAttemptsMs);
    }
  }

  async #awaitOnce(lane: Lane, sequence: number, waitMs: number, aggregate: string | null): Promise<boolean> {
    if (!lane.isOwned) return this.#awaitElsewhere(lane, { type: 'await', sequence, aggregate, waitMs });
    if (this.#options.positions.of(lane) >= sequence) return true;
    const reached = lane.tracker.await(sequence, waitMs);
    if (lane.queue.length > 0 && !lane.isInWork) this.#options.onAwaited();
    return reached;
  }

  async #awaitElsewhere(lane: Lane, request: Extract<LaneRequest, { type: 'await' }>): Promise<boolean> {
    const { done, deferrals = [] } = await this.#ask(lane, request, request.waitMs);
    this.#options.onDeferred(deferrals);
    return done;
  }

  #ask(lane: Lane, request: LaneRequest, waitMs: number): Promise<LaneAnswer> {
    const { connection, key } = this.#options;
    return askLane(connection, laneSubject(key, lane.index), request, waitMs);
  }
}
