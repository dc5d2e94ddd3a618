import { setTimeout as pause } from 'node:timers/promises';

/** Between two questions: a tenth of the time that has passed, since asking takes processor time from what is waited for. */
const pollMs = { shortest: 25, longest: 250, share: 0.1 };

/**
 * Asks again and again until the condition gives something other than undefined or false, and returns that.
 * A condition that throws counts as one that does not hold yet.
 * @throws Error after `timeoutMs` milliseconds, naming `what` was waited for; its cause is what was thrown last.
 */
export async function eventually<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 60_000,
): Promise<T> {
  const startedAt = performance.now();
  const deadline = startedAt + timeoutMs;
  let cause: unknown;
  do {
    try {
      const found = await condition();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      cause = error;
    }
    const share = (performance.now() - startedAt) * pollMs.share;
    await pause(Math.min(pollMs.longest, Math.max(pollMs.shortest, share)));
  } while (performance.now() < deadline);
  throw new Error(`Within ${timeoutMs} ms it did not come true: ${what}`, { cause });
}
