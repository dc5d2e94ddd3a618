import type { ReadModelLogger } from '../definition.ts';
import { FencedError } from '../errors.ts';
import { type LaneMoves, moveOf, stayOf } from '../lanes/checkpoints.ts';
import type { Deferrals } from '../lanes/deferrals.ts';
import type { Deferral, QueuedMessage } from '../lanes/lane.ts';
import type { Messages } from './batch-writer.ts';
import { type LaneGuard, LaneLostError } from './lane-guard.ts';

export interface DeferrerOptions {
  /** The read model's name, for the log. */
  readonly name: string;
  readonly checkpoints: LaneMoves;
  readonly deferrals: Deferrals;
  readonly guard: LaneGuard;
  /** Keeps a copy of an event that could not be applied, for operators. */
  readonly deadLetter: (message: QueuedMessage, deferral: Deferral) => Promise<void>;
  readonly logger: ReadModelLogger;
  /** After three dead letters in a row, how long to wait for a success before another one, in milliseconds; 60 000 unless given. */
  readonly deferAgainMs?: number | undefined;
}

/** After this many dead letters without a success in between, the store counts as the cause, not the events. */
const maxDeferredInARow = 3;
/** If the failures last longer than this, the events may be the cause after all: one dead letter is allowed in each such period. */
const defaultDeferAgainMs = 60_000;

/** Leaves aggregates behind whose events cannot be applied, so that all others can go on. */
export class Deferrer {
  readonly #options: DeferrerOptions;
  #deferredInARow = 0;
  #lastDeferredAt = Number.NEGATIVE_INFINITY;

  constructor(options: DeferrerOptions) {
    this.#options = options;
  }

  /** Whether an event that keeps failing may be given up. */
  get isAllowed(): boolean {
    const { deferAgainMs = defaultDeferAgainMs } = this.#options;
    return this.#deferredInARow < maxDeferredInARow || performance.now() - this.#lastDeferredAt >= deferAgainMs;
  }

  /** To be called when events were applied. */
  noteSuccess(): void {
    this.#deferredInARow = 0;
  }

  /**
   * Dead-letters a message and leaves its aggregate behind from this event on, however often that takes.
   * @throws LaneLostError
   */
  async defer(taken: Messages, message: QueuedMessage, deferral: Deferral): Promise<void> {
    const { name, logger } = this.#options;
    const { lane } = taken;
    await this.#write(taken, message, deferral);
    if (deferral.kind === 'failed') {
      this.#deferredInARow += 1;
      this.#lastDeferredAt = performance.now();
    }
    lane.deferrals.set(deferral.aggregate, deferral);
    lane.checkpoint = message.message.sequence;
    lane.tracker.moveTo(message.message.sequence);
    lane.failure = undefined;
    const { aggregate, from, kind, reason } = deferral;
    logger.error({ readModel: name, aggregate, sequence: from, kind, reason }, 'Dead-lettered an event');
  }

  async #write(taken: Messages, message: QueuedMessage, deferral: Deferral): Promise<void> {
    const { deferrals, checkpoints, guard, deadLetter } = this.#options;
    const { lane } = taken;
    for (let waits = 0; ; waits += 1) {
      guard.assertOwned(taken);
      try {
        await deadLetter(message, deferral);
        guard.assertOwned(taken);
        guard.assertHeld();
        // Fences: an instance that has lost the lane must not defer what its successor has applied.
        await checkpoints.moveWith([stayOf(lane)], (session) => deferrals.put(deferral, session));
        // Only when the deferral is stored, since a bucket moves its checkpoint in no transaction. Should the move not
        // happen, the event is passed over as deferred.
        await checkpoints.move(moveOf(lane, [message], Number.POSITIVE_INFINITY));
        return;
      } catch (error) {
        if (error instanceof LaneLostError) throw error;
        if (error instanceof FencedError) guard.lose(lane);
        guard.noteFailure(lane, error);
        await guard.pauseBeforeRetry(waits);
      }
    }
  }
}
