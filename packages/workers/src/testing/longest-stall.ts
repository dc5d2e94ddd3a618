import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

const mostTries = 3;

/**
 * The longest time for which the event loop does not turn while some work is done, in milliseconds. What is longer than
 * `enoughMs` is measured again, and the least counts: another load of the machine does not come each time, a stall of the
 * work does.
 */
export async function longestStallOf(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && least > enoughMs; tries += 1) {
    least = Math.min(least, await measure(work));
  }
  return least;
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  // It only counts what lies between two of its own turns.
  const nextTurn = async () => {
    for (const { count } = delay; delay.count === count; ) await setImmediate();
  };
  delay.enable();
  await nextTurn();
  await work();
  await nextTurn();
  delay.disable();
  return delay.max / 1e6;
}
