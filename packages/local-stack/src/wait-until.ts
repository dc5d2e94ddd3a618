import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;

/**
 * Checks again and again until the condition holds. A condition that throws counts as one that does not hold yet.
 *
 * @throws Error when `timeoutMs` have passed, with what the condition threw last as its cause
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    try {
      if (await condition()) return;
    } catch (error) {
      cause = error;
    }
    await delay(POLL_MS);
  }
  throw new Error(`The condition did not hold within ${timeoutMs} ms.`, { cause });
}
