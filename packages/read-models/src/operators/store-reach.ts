import { performance } from 'node:perf_hooks';
import { type Check, runChecks } from '@mneme/service-kit';
import { sleep } from '@mneme/workers/waits';

/** Whether an instance reaches its stores. */
export interface StoreReach {
  /** Whether some store is out of reach, for more than a moment. */
  isLost(): boolean;
  /** Whether all of them have answered at the last look. */
  isAnswering(): boolean;
  stop(): Promise<void>;
}

/** How often the stores are asked, in milliseconds: usually, and while the answers have changed. */
const usualMs = 2_000;
const inDoubtMs = 500;
/** A check also fails once when the process has stood still, or a store does for a moment. */
const failuresToLose = 2;
/** In a process that has hardly been idle, an answer can be late although the store has sent it in time. */
const failuresToLoseWhenBusy = 6;
/** The share of the time since the last look for which the event loop was busy, from 0 to 1. */
const busyFrom = 0.9;
/** A store that comes and goes does not move requests and lanes to and fro: it has to answer for 3 seconds. */
const answersToRegain = 6;

export interface StoreReachOptions {
  /** Called after each look while a store counts as out of reach. */
  readonly onLost?: () => void;
  /** Those above unless given. */
  readonly everyMs?: number;
  readonly inDoubtEveryMs?: number;
  /** The share of the time since the last call for which the event loop was busy, from 0 to 1. */
  readonly utilization?: () => number;
}

/** Asks the stores of an instance again and again. */
export function watchStores(
  stores: Readonly<Record<string, Check>>,
  { onLost, everyMs = usualMs, inDoubtEveryMs = inDoubtMs, utilization = measureUtilization() }: StoreReachOptions = {},
): StoreReach {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isLost = false;
  let isFailing = false;
  /** How many looks in a row have found the contrary. */
  let contrary = 0;
  const look = async () => {
    const { checks } = await runChecks(stores);
    // What is wrong with a read model is told in words, and another instance may not help.
    isFailing = Object.values(checks).includes('unavailable');
    const toLose = utilization() < busyFrom ? failuresToLose : failuresToLoseWhenBusy;
    contrary = isFailing === isLost ? 0 : contrary + 1;
    if (contrary >= (isLost ? answersToRegain : toLose)) [isLost, contrary] = [isFailing, 0];
    if (isLost && !signal.aborted) onLost?.();
  };
  const keepLooking = async () => {
    while (!signal.aborted) {
      await look();
      await sleep(isLost || contrary > 0 ? inDoubtEveryMs : everyMs, signal);
    }
  };
  const looking = keepLooking();
  return {
    isLost: () => isLost,
    isAnswering: () => !isFailing,
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}

/** Returns what tells for which share of the time since its last call the event loop of this thread was busy, from 0 to 1. */
function measureUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
