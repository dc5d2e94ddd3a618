import { behind, type Follower } from '@mneme/read-models';

/** Waits until deliveries that came are processed, and what became of them can be read. */
export interface DeliveryWait {
  /**
   * Waits for everything that had been received when it was asked, of some aggregates; others are not waited for.
   * @returns the sequence of the last delivery of that
   * @throws WireError 503 when that takes longer than 5 s
   */
  settle(aggregates: readonly string[]): Promise<number>;
  /** The same, up to a sequence of the log. */
  settleUpTo(sequence: number, aggregates: readonly string[]): Promise<void>;
}

export interface DeliveryWaitOptions {
  /** The processing of deliveries. */
  readonly work: Follower;
  readonly readModel: Follower;
  /** The last sequence of the log, and of the deliveries in it. */
  readonly head: () => Promise<number>;
  readonly lastDelivery: () => Promise<number>;
}

const waitMs = 5_000;

export function createDeliveryWait({ work, readModel, head, lastDelivery }: DeliveryWaitOptions): DeliveryWait {
  const settleUpTo = async (sequence: number, aggregates: readonly string[]) => {
    const deadline = Date.now() + waitMs;
    const reach = async (follower: Follower, upTo: number) => {
      const leftMs = Math.max(0, deadline - Date.now());
      const done = await Promise.all(aggregates.map((aggregate) => follower.await(upTo, leftMs, aggregate)));
      return done.every(Boolean);
    };
    if (!(await reach(work, sequence))) throw behind('Deliveries that came are still being processed; try again');
    // What became of the deliveries stands behind them in the log.
    if (!(await reach(readModel, await head()))) throw behind('The read model is behind the event log; try again');
  };
  const settle = async (aggregates: readonly string[]) => {
    const last = await lastDelivery();
    await settleUpTo(last, [...new Set(aggregates)]);
    return last;
  };
  return { settleUpTo, settle };
}
