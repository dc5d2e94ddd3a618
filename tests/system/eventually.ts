import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 25;

/**
 * Asks again and again until the condition gives something other than undefined or false, and returns that.
 * A condition that throws counts as one that does not hold yet.
 * @throws Error after `deadlineMs` milliseconds, naming `what` was waited for; its cause is what was thrown last.
 */
export async function eventually<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  let cause: unknown;
  do {
    try {
      const found = await condition();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      cause = error;
    }
    await pause(pollMs);
  } while (performance.now() < deadline);
  throw new Error(`Within ${deadlineMs} ms it did not come true: ${what}`, { cause });
}
