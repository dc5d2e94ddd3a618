import { setTimeout as pause } from 'node:timers/promises';

/** How long a start waits for its servers, in milliseconds. */
const startTimeoutMs = 30_000;

export interface StartRetry {
  /** How long to wait after a failure, in milliseconds. */
  readonly pauseMs: number;
  /** Whether it may work a moment later; every error counts as one that passes unless given. */
  readonly isTransient?: (error: unknown) => boolean;
}

/**
 * Tries something until it works, for 30 s. `p-retry` is no substitute: it gives up at once on a TypeError, which is what a
 * client may throw for a server that is not up.
 * @throws what the last try has failed with
 */
export async function retryAtStart<T>(
  attempt: () => Promise<T>,
  { pauseMs, isTransient = () => true }: StartRetry,
): Promise<T> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error) || performance.now() + pauseMs > deadline) throw error;
      await pause(pauseMs);
    }
  }
}
