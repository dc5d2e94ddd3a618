import { messageOf } from '@mneme/service-kit';
import { retryAtStart } from '@mneme/workers/start-retry';

/** A store did not answer while the service started. */
class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
}

const pauseMs = 500;

/**
 * Asks a store until it answers.
 * @param store its name, for people
 * @returns what it answered
 * @throws StoreUnreachableError when it does not answer within 30 s
 */
export async function reachStore<T>(store: string, url: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await retryAtStart(ask, { pauseMs });
  } catch (error) {
    throw unreachable(store, url, error);
  }
}

function unreachable(store: string, url: string, cause: unknown): StoreUnreachableError {
  // An address may hold a password.
  const shown = url.replace(/\/\/[^@/]*@/, '//');
  return new StoreUnreachableError(`${store} at ${shown} cannot be reached: ${messageOf(cause)}`, { cause });
}
