import { WireError } from '@mneme/contracts';
import type { Progress } from '../operations/operation-waiters.ts';

/** How long a read waits for the position that its caller asks for, in milliseconds. */
const positionWaitMs = 5_000;
/** How long a question about operations waits for what the log held when it was asked, in milliseconds. */
const headWaitMs = 2_000;

/** Makes a read wait until the read model is where it has to be. */
export interface ReadGate {
  /** @throws WireError 503 when the sequence is not reached within 5 s. */
  reach(minSequence: number | undefined): Promise<void>;
  /** The sequence that reads have seen at least. */
  position(): number;
  /** Waits for everything in the log, for a bounded time; false when something may be missing all the same. */
  catchUp(): Promise<boolean>;
}

/** @param head the last sequence of the log */
export function createReadGate(progress: Progress, head: () => Promise<number>): ReadGate {
  return {
    reach: async (minSequence) => {
      if (minSequence === undefined || (await progress.await(minSequence, positionWaitMs))) return;
      const message = `The read model has not applied event ${minSequence} yet; try again`;
      throw new WireError({ status: 503, code: 'UNAVAILABLE', message });
    },
    position: () => progress.position(),
    catchUp: async () => {
      const last = await head().catch(() => undefined);
      return last !== undefined && progress.await(last, headWaitMs);
    },
  };
}
