import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Lane } from './lane.ts';
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
  /** Leaves a lane to another instance. */
  readonly giveAway: (lane: Lane) => void;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
}

/** Applying everything that an aggregate has waited with may take its time, in milliseconds. */
const retryWaitMs = 110_000;
/** After this time the instance that holds a lane is found again, in milliseconds. */
const awaitTurnMs = 1_000;
const betweenTurnsMs = 20;
/** How long the answer to a request for a lane is waited for, in milliseconds. */
const yieldWaitMs = 1_000;

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

  /** Applies what an aggregate has waited with. @throws Error with the reason when it still cannot be applied */
  async retry(aggregate: string, discarded?: number): Promise<void> {
    const lane = this.#options.positions.laneOf(aggregate);
    if (!lane) throw new Error(`There is no lane for ${aggregate}`);
    const answer = lane.isOwned
      ? await this.retryHere(lane, aggregate, discarded)
      : await this.#ask(lane, { type: 'retry', aggregate, discarded: discarded ?? null }, retryWaitMs);
    if (!answer.done) throw new Error(answer.reason ?? 'The event was not applied in time');
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
      this.#options.giveAway(lane);
      return { done: true, reason: null };
    }
    if (request.type === 'retry') return this.retryHere(lane, request.aggregate, request.discarded ?? undefined);
    return { done: await this.#awaitLane(lane, request.sequence, request.waitMs, request.aggregate), reason: null };
  }

  /** In turns: the lane may change hands meanwhile, and a request or its reply is lost with a connection. */
  async #awaitLane(lane: Lane, sequence: number, waitMs: number, aggregate: string | null): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const turnMs = Math.max(1, Math.min(deadline - Date.now(), awaitTurnMs));
      if (await this.#awaitOnce(lane, sequence, turnMs, aggregate)) return true;
      if (this.#options.signal.aborted || Date.now() >= deadline) return false;
      // A turn ends at once when the lane is just changing hands.
      await pause(betweenTurnsMs);
    }
  }

  async #awaitOnce(lane: Lane, sequence: number, waitMs: number, aggregate: string | null): Promise<boolean> {
    if (!lane.isOwned) return (await this.#ask(lane, { type: 'await', sequence, aggregate, waitMs }, waitMs)).done;
    if (this.#options.positions.of(lane) >= sequence) return true;
    const reached = lane.tracker.await(sequence, waitMs);
    if (lane.queue.length > 0 && !lane.isInWork) this.#options.onAwaited();
    return reached;
  }

  #ask(lane: Lane, request: LaneRequest, waitMs: number): Promise<LaneAnswer> {
    const { connection, key } = this.#options;
    return askLane(connection, laneSubject(key, lane.index), request, waitMs);
  }
}
