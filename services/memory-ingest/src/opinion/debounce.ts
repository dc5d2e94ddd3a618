import { setTimeout as pause } from 'node:timers/promises';

/** So old an event is before it is asked what it bears on, in milliseconds. */
const restMs = 500;

/**
 * Waits until an event has stood in the log for a moment. While much is stored, one question then covers all of that
 * moment. Events that have waited for their turn are old enough, so that no more than the first is held up.
 * @throws the signal's `AbortError`
 */
export async function debounce({ time }: { readonly time: string }, signal: AbortSignal): Promise<void> {
  const leftMs = restMs - (Date.now() - Date.parse(time));
  // The clock of the machine that wrote the event may be ahead.
  if (leftMs > 0) await pause(Math.min(leftMs, restMs), undefined, { signal });
}
