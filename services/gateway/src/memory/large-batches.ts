import { setTimeout as pause } from 'node:timers/promises';
import type { BatchPut } from '@mneme/contracts';
import { createFairLimiter } from '@mneme/workers/fair-limiter';
import type { Owner } from '@mneme/workers/fair-queue';
import { unavailable } from '../errors.ts';

/**
 * Lets large batches enter the event log one after the other, with rests between them, round-robin to the owners of those
 * that wait. Each is sent to several consumers and keeps the process busy for a quarter of a second or so; ten at once would
 * let everything that is asked meanwhile wait for all of them.
 */
export interface LargeBatches {
  /**
   * Appends a batch, when it is its turn if it is large.
   * @throws WireError 503 when too many wait, or when this one has waited for too long; the signal's reason when it is aborted
   * meanwhile; and what `append` throws
   */
  inTurn<T>(batch: BatchPut, wait: WaitForTurn, append: () => Promise<T>): Promise<T>;
}

export interface WaitForTurn {
  readonly owner: Owner;
  /** How long the caller waits for its turn, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** In UTF-16 code units of all contents together. */
const largeLength = 256 * 1_024;
/** Each has up to `BODY_LIMIT` in memory. */
const maxWaiting = 64;
/** An append that takes longer waits for the event log, which may be away, in milliseconds. */
const maxHoldMs = 2_000;
/** After each, others have the process for as long as it took, but no longer than this, in milliseconds. */
const maxRestMs = 1_000;

export function createLargeBatches(): LargeBatches {
  const limiter = createFairLimiter({ atOnce: 1, maxWaiting, maxHoldMs, refusal: tooMany });
  return {
    inTurn: <T>(batch: BatchPut, { owner, timeoutMs, signal }: WaitForTurn, append: () => Promise<T>) => {
      if (lengthOf(batch) < largeLength) return append();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const tooLong = new AbortController();
      const timer = setTimeout(() => tooLong.abort(tooMany()), timeoutMs);
      const appendAndRest = async () => {
        clearTimeout(timer);
        const startedAt = performance.now();
        // The caller is answered before the rest.
        await append().then(resolve, reject);
        await pause(Math.min(performance.now() - startedAt, maxRestMs), undefined, { ref: false });
      };
      const waiting = limiter.run(owner, appendAndRest, AbortSignal.any([signal, tooLong.signal]));
      waiting.catch(reject).finally(() => clearTimeout(timer));
      return promise;
    },
  };
}

function tooMany(): Error {
  return unavailable('Too many large batches are being received; try again later');
}

function lengthOf({ items }: BatchPut): number {
  return items.reduce((length, { content }) => length + content.length, 0);
}
