import type { KeyUsage } from '@mneme/contracts';
import {
  countOf,
  momentOf,
  secondsUntilBelow,
  secondsUntilLess,
  type Window,
  windowAt,
  withCount,
} from './sliding-window.ts';

/** Whether one request of a key is admitted. */
export interface Decision {
  readonly isAdmitted: boolean;
  /** Requests per 60 s. */
  readonly limit: number;
  /** How many more requests would be admitted now. */
  readonly remaining: number;
  /** Seconds until another request is admitted; at least 1. */
  readonly resetSeconds: number;
}

export interface Decisions {
  readonly decisions: readonly Decision[];
  /** The usage including the admitted requests; undefined when none is admitted. */
  readonly usage: KeyUsage | undefined;
}

/**
 * Decides, in order, on requests that arrived together.
 * @param limits the limit of each request, since it may change between two of them
 */
export function decide(usage: KeyUsage | undefined, limits: readonly number[], nowMs: number): Decisions {
  const recent = usage?.recent ?? [];
  const moment = momentOf(nowMs, recent);
  const before = windowAt(recent, moment);
  const counted = countOf(before);
  let admitted = 0;
  const verdicts = limits.map((limit) => {
    const isAdmitted = counted + admitted < limit;
    if (isAdmitted) admitted += 1;
    return { isAdmitted, limit, remaining: Math.max(0, limit - counted - admitted) };
  });
  const after = admitted === 0 ? before : withCount(before, moment, admitted);
  const decisions = verdicts.map((verdict) => ({ ...verdict, resetSeconds: resetOf(after, verdict, moment) }));
  return { decisions, usage: admitted === 0 ? undefined : counting(usage, admitted, after, nowMs) };
}

function resetOf(window: Window, { limit, remaining }: Omit<Decision, 'resetSeconds'>, moment: number): number {
  return remaining > 0 ? secondsUntilLess(window, moment) : Math.max(1, secondsUntilBelow(window, limit, moment));
}

/** Whether one more request would be refused. */
export function isFull(usage: KeyUsage, limit: number, nowMs: number): boolean {
  return countOf(windowAt(usage.recent, momentOf(nowMs, usage.recent))) >= limit;
}

/** Time never goes back, even when the clock of this gateway is behind that of another. */
function counting(usage: KeyUsage | undefined, admitted: number, recent: Window, nowMs: number): KeyUsage {
  const now = new Date(nowMs).toISOString();
  return {
    requests: (usage?.requests ?? 0) + admitted,
    lastUsedAt: usage && usage.lastUsedAt > now ? usage.lastUsedAt : now,
    recent: recent.map(([atMs, count]) => [atMs, count]),
  };
}
