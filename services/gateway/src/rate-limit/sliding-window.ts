/**
 * When something happened, oldest first: pairs of a time in milliseconds since 1970 and a count. What happened within
 * the same quarter of a second is one pair, with the time of the last of it, so that nothing leaves the window too early.
 */
export type Window = readonly (readonly [atMs: number, count: number])[];

/** How long something counts, in seconds. */
export const windowSeconds = 60;
const windowMs = windowSeconds * 1_000;
/** Bounds a window to so many pairs, and one more for a quarter that has just begun. */
const slotMs = 250;

/**
 * The time to count at. Clocks of several gateways differ; going back behind one that was ahead would let its counts
 * leave the window too early, so that the newest time counts on until the own clock is there.
 */
export function momentOf(nowMs: number, window: Window): number {
  return Math.max(nowMs, window.at(-1)?.[0] ?? 0);
}

/** Without what is as old as the window is long, or older. */
export function windowAt(window: Window, momentMs: number): Window {
  const isCounted = ([atMs]: Window[number]) => atMs + windowMs > momentMs;
  return window.every(isCounted) ? window : window.filter(isCounted);
}

export function countOf(window: Window): number {
  let sum = 0;
  for (const [, count] of window) sum += count;
  return sum;
}

/** @param momentMs not before the newest one in the window */
export function withCount(window: Window, momentMs: number, count: number): Window {
  const last = window.at(-1);
  const isSameSlot = last !== undefined && slotOf(last[0]) === slotOf(momentMs);
  return isSameSlot ? [...window.slice(0, -1), [momentMs, last[1] + count]] : [...window, [momentMs, count]];
}

function slotOf(atMs: number): number {
  return Math.floor(atMs / slotMs);
}

/** In how many seconds the first of what counts leaves the window, which must not be empty. */
export function secondsUntilLess([oldest]: Window, momentMs: number): number {
  return secondsUntilGone(oldest?.[0] ?? momentMs, momentMs);
}

/** In how many seconds the count will have fallen below `limit`; 0 when it is now. */
export function secondsUntilBelow(window: Window, limit: number, momentMs: number): number {
  let left = countOf(window);
  for (const [atMs, count] of window) {
    if (left < limit) break;
    left -= count;
    if (left < limit) return secondsUntilGone(atMs, momentMs);
  }
  return 0;
}

/** At least 1 and at most as many as the window has. */
function secondsUntilGone(atMs: number, momentMs: number): number {
  return Math.max(1, Math.ceil((atMs + windowMs - momentMs) / 1_000));
}
