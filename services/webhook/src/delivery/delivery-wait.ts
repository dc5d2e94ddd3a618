import { behind, type Follower } from '@mneme/read-models';
import { settlesWithin } from '@mneme/service-kit';
import type { Slot } from '@mneme/workers/fair-limiter';

/** Waits until deliveries are processed and their outcome can be read. */
export interface DeliveryWait {
  /**
   * Waits for everything that these aggregates had received when it was called.
   * @returns the sequence of the last delivery in the log at that time
   * @throws WireError 503 when that takes longer than 5 s
   */
  untilProcessed(aggregates: readonly string[]): Promise<number>;
  /** Like `untilProcessed`, for deliveries up to a sequence of the log. */
  untilProcessedUpTo(sequence: number, aggregates: readonly string[]): Promise<void>;
}

export interface DeliveryWaitOptions {
  /** The processing of deliveries. */
  readonly processing: Follower;
  readonly readModel: Follower;
  /** The last sequence of the log, and of the deliveries in it. */
  readonly head: () => Promise<number>;
  readonly lastDelivery: () => Promise<number>;
}

const waitMs = 5_000;
/** How long a read keeps its slot meanwhile, in milliseconds. */
const keepSlotMs = 250;

export function createDeliveryWait({ processing, readModel, head, lastDelivery }: DeliveryWaitOptions): DeliveryWait {
  const untilProcessedUpTo = async (sequence: number, aggregates: readonly string[]) => {
    const deadline = performance.now() + waitMs;
    const reach = async (follower: Follower, upTo: number) => {
      const leftMs = Math.max(0, deadline - performance.now());
      const done = await Promise.all(aggregates.map((aggregate) => follower.await(upTo, leftMs, aggregate)));
      return done.every(Boolean);
    };
    if (!(await reach(processing, sequence))) throw behind('Deliveries that came are still being processed; try again');
    // The events with the outcome are behind the deliveries in the log.
    if (!(await reach(readModel, await head()))) throw behind('The read model is behind the event log; try again');
  };
  return {
    untilProcessedUpTo,
    untilProcessed: async (aggregates) => {
      const last = await lastDelivery();
      await untilProcessedUpTo(last, [...new Set(aggregates)]);
      return last;
    },
  };
}

/** For reads: a long wait is done without a slot. */
export function waitWithout(slot: Slot, { untilProcessed, untilProcessedUpTo }: DeliveryWait): DeliveryWait {
  const wait = async <T>(done: Promise<T>) => ((await settlesWithin(done, keepSlotMs)) ? done : slot.leave(() => done));
  return {
    untilProcessed: (aggregates) => wait(untilProcessed(aggregates)),
    untilProcessedUpTo: (sequence, aggregates) => wait(untilProcessedUpTo(sequence, aggregates)),
  };
}
