/** Counts by the second in which something happened, oldest first: pairs of a second since 1970 and a count. */
export type Window = readonly (readonly [second: number, count: number])[];

/** How long something counts, in seconds. */
export const windowSeconds = 60;
/** What happened at the end of a second has to count for the whole window, which ends within a later second. */
const countedSeconds = windowSeconds + 1;

/**
 * The second to count in. Clocks of several gateways differ; going back behind one that was ahead would let its counts
 * leave the window too early, so that the newest second counts on until the own clock is there.
 */
export function secondOf(nowMs: number, window: Window): number {
  return Math.max(Math.floor(nowMs / 1_000), window.at(-1)?.[0] ?? 0);
}

/** Without what has left the window by `second`. */
export function windowAt(window: Window, second: number): Window {
  const isCounted = ([counted]: Window[number]) => counted + countedSeconds > second;
  return window.every(isCounted) ? window : window.filter(isCounted);
}

export function countOf(window: Window): number {
  let sum = 0;
  for (const [, count] of window) sum += count;
  return sum;
}

/** @param second not before the newest one in the window */
export function withCount(window: Window, second: number, count: number): Window {
  const last = window.at(-1);
  return last?.[0] === second ? [...window.slice(0, -1), [second, last[1] + count]] : [...window, [second, count]];
}

/** In how many seconds the count will have fallen below `limit`; 0 when it is now. */
export function secondsUntilBelow(window: Window, limit: number, second: number): number {
  let left = countOf(window);
  for (const [counted, count] of window) {
    if (left < limit) break;
    left -= count;
    if (left < limit) return Math.max(1, counted + countedSeconds - second);
  }
  return 0;
}
