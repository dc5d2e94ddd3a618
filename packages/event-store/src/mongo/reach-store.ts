import { setTimeout as pause } from 'node:timers/promises';

/** A store did not answer while the service started. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
}

/** How long a start waits for a store to come up, in milliseconds. */
const startTimeoutMs = 30_000;
const retryMs = 500;

/**
 * Asks a store until it answers. `p-retry` is no substitute: it gives up at once on a TypeError, which is what a client
 * may throw for a store that is not up.
 * @param store its name, for people
 * @returns what it answered
 * @throws StoreUnreachableError when it does not answer within 30 s
 */
export async function reachStore<T>(store: string, url: string, ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() + retryMs > deadline) throw unreachable(store, url, error);
      await pause(retryMs);
    }
  }
}

function unreachable(store: string, url: string, cause: unknown): StoreUnreachableError {
  // An address may hold a password.
  const shown = url.replace(/\/\/[^@/]*@/, '//');
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnreachableError(`${store} at ${shown} cannot be reached: ${reason}`, { cause });
}
