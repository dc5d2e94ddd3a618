import type { WireError } from '@mneme/contracts';
import { behind } from './errors.ts';

/** Something that follows the log. */
export interface Follower {
  /**
   * Waits until it has applied a sequence: for one aggregate, or for all.
   * @returns false when that takes longer than `waitMs` milliseconds
   */
  await(sequence: number, waitMs: number, aggregate?: string): Promise<boolean>;
}

/** A read model, as far as waiting for it needs it. */
export interface FollowedReadModel extends Follower {
  /** Waits until an event, and all before it, are applied. @throws WireError 503 when the event could not be applied */
  awaitEvent(sequence: number, waitMs: number): Promise<boolean>;
  /** @throws WireError 503 when an event of the aggregate could not be applied */
  assertCurrent(aggregate: string, sequence?: number): void;
}

/** Makes a read see what was written before it. */
export interface ReadAfterWrite {
  /**
   * Returns when the read model and the buckets have applied a sequence, so that a command holds everywhere.
   * @param aggregate the aggregate of the read model that the event belongs to; the other aggregates are not waited for
   * @throws WireError 503 when that takes longer than 5 s; the command is recorded all the same
   */
  confirm(sequence: number, aggregate?: string): Promise<void>;
  /** @throws WireError 503 when the read model does not apply the event within 5 s, or could not apply it */
  reach(sequence: number | undefined): Promise<void>;
  /** Like `reach`, with everything that is in the log now; events that could not be applied do not count. */
  catchUp(): Promise<void>;
  /** @throws WireError 503 when an event of the aggregate could not be applied, so that its rows are not up to date */
  assertCurrent(aggregate: string): void;
}

export interface ReadAfterWriteOptions {
  /** The JetStream stream, for messages. */
  readonly stream: string;
  readonly readModel: FollowedReadModel;
  readonly buckets: readonly Pick<FollowedReadModel, 'awaitEvent'>[];
  /** The last sequence of the log. */
  readonly head: () => Promise<number>;
}

const waitMs = 5_000;

export function readAfterWrite({ stream, readModel, buckets, head }: ReadAfterWriteOptions): ReadAfterWrite {
  const late = (sequence: number) => behind(`The read model has not applied event ${sequence} yet; try again`);
  return {
    confirm: async (sequence, aggregate) => {
      const waits = buckets.map((bucket) => bucket.awaitEvent(sequence, waitMs));
      const done = await Promise.all([readModel.await(sequence, waitMs, aggregate), ...waits]);
      if (!done.every(Boolean)) throw unconfirmed(`${stream}:${sequence}`);
    },
    reach: async (sequence) => {
      if (sequence !== undefined && !(await readModel.awaitEvent(sequence, waitMs))) throw late(sequence);
    },
    catchUp: async () => {
      const sequence = await head();
      if (!(await readModel.await(sequence, waitMs))) throw late(sequence);
    },
    assertCurrent: (aggregate) => readModel.assertCurrent(aggregate),
  };
}

/**
 * Looks for a row that never goes away or changes; what the read model lacks is believed to be missing when it has caught up.
 * @param aggregate the aggregate whose events make the row, where that is known
 */
export async function findLasting<T>(
  { progress }: { readonly progress: Pick<ReadAfterWrite, 'catchUp' | 'assertCurrent'> },
  aggregate: string | undefined,
  find: () => Promise<T | null>,
): Promise<T | undefined> {
  const found = await find();
  if (found) return found;
  await progress.catchUp();
  const late = await find();
  if (!late && aggregate !== undefined) progress.assertCurrent(aggregate);
  return late ?? undefined;
}

function unconfirmed(position: string): WireError {
  return behind(`The change is recorded as ${position}, and it is not sure yet that it holds everywhere`);
}
