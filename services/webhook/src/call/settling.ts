import { WireError } from '@mneme/contracts';
import type { Follower } from '@mneme/event-store';

/** Waits until calls that came are worked off, and what became of them can be read. */
export interface Settling {
  /**
   * Waits for everything that had been received when it was asked.
   * @returns the sequence of the last call of that
   * @throws WireError 503 when that takes longer than 5 s.
   */
  settle(): Promise<number>;
  /** The same, up to a sequence of the log. */
  settleUpTo(sequence: number): Promise<void>;
}

export interface SettlingOptions {
  /** The handler of calls. */
  readonly work: Follower;
  readonly readModel: Follower;
  /** The last sequence of the log, and of the calls in it. */
  readonly head: () => Promise<number>;
  readonly lastCall: () => Promise<number>;
}

const waitMs = 5_000;

export function createSettling({ work, readModel, head, lastCall }: SettlingOptions): Settling {
  const settleUpTo = async (sequence: number) => {
    const deadline = Date.now() + waitMs;
    const leftMs = () => Math.max(0, deadline - Date.now());
    if (!(await work.await(sequence, leftMs()))) throw late('Calls that came are still being worked off');
    // What became of the calls stands behind them in the log.
    if (!(await readModel.await(await head(), leftMs()))) throw late('The read model is behind the event log');
  };
  const settle = async () => {
    const last = await lastCall();
    await settleUpTo(last);
    return last;
  };
  return { settleUpTo, settle };
}

function late(reason: string): WireError {
  return new WireError({ status: 503, code: 'UNAVAILABLE', message: `${reason}; try again` });
}
