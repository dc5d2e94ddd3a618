/**
 * When requests happened, oldest first: pairs of a time in milliseconds since 1970 and a count. Requests within the same
 * quarter of a second are one pair, with the time of the last of them, so that none leaves the window too early. Written
 * here because the limit is exact over several gateways, and the window has to fit into one small record.
 */
export type Window = readonly (readonly [atMs: number, count: number])[];

/** How long a request counts, in seconds. */
export const windowSeconds = 60;
const windowMs = windowSeconds * 1_000;
/** The resolution; it bounds a window to 241 pairs. */
const slotMs = 250;
/** How far the clocks of gateways and of the server may differ, in milliseconds. */
const maxSkewMs = 5_000;

/**
 * The time to count at. The clocks of gateways differ; counting earlier than a gateway that was ahead would let requests
 * leave the window too early, so the newest time of the window applies until the own clock has reached it.
 */
export function momentOf(nowMs: number, window: Window): number {
  return Math.max(nowMs, window.at(-1)?.[0] ?? 0);
}

/** Whether the newest request is further ahead of a time than clocks differ, so that one of the two is wrong. */
export function isAhead(window: Window, nowMs: number): boolean {
  return (window.at(-1)?.[0] ?? 0) > nowMs + maxSkewMs;
}

/** How far a clock is behind a time that has passed for certain, in milliseconds; 0 within what clocks differ. */
export function behindOf(nowMs: number, passedMs: number): number {
  return passedMs - nowMs > maxSkewMs ? passedMs - nowMs : 0;
}

/** How far a clock is ahead of a time that it was at most a moment ago, in milliseconds; 0 within what clocks differ. */
export function aheadOf(nowMs: number, justPassedMs: number): number {
  return nowMs - justPassedMs > maxSkewMs ? nowMs - justPassedMs : 0;
}

/**
 * The window as it was written at `writtenMs`, by the clock of the server. What is far ahead of that was counted by a
 * gateway with a wrong clock, and counts as of then; it would fill the window until all clocks had reached it.
 */
export function writtenAt(window: Window, writtenMs: number): Window {
  if (!isAhead(window, writtenMs)) return window;
  const isReal = ([atMs]: Window[number]) => atMs <= writtenMs;
  const real = window.filter(isReal);
  return withCount(real, writtenMs, countOf(window) - countOf(real));
}

/** The window without the requests that are 60 s old or older. */
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

/** In how many seconds the oldest request leaves the window, which must not be empty. */
export function secondsUntilLess([oldest]: Window, momentMs: number): number {
  return secondsUntilGone(oldest?.[0] ?? momentMs, momentMs);
}

/** In how many seconds the count falls below `limit`; 0 when it is below now. */
export function secondsUntilBelow(window: Window, limit: number, momentMs: number): number {
  let left = countOf(window);
  for (const [atMs, count] of window) {
    if (left < limit) break;
    left -= count;
    if (left < limit) return secondsUntilGone(atMs, momentMs);
  }
  return 0;
}

/** From 1 to 60. */
function secondsUntilGone(atMs: number, momentMs: number): number {
  return Math.max(1, Math.ceil((atMs + windowMs - momentMs) / 1_000));
}
