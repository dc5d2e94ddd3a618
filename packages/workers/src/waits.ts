import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a time in milliseconds, or until the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Waits for a promise, until the signal is aborted, and for no longer than the given milliseconds.
 * @throws what the promise is rejected with meanwhile
 */
export async function within(promise: Promise<void>, waitMs: number, signal?: AbortSignal): Promise<void> {
  const { promise: waited, resolve: wake } = Promise.withResolvers<void>();
  const timer = setTimeout(wake, waitMs);
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
