const mostTries = 3;
const tickMs = 1;

/**
 * The longest time for which some work keeps the event loop from turning, in milliseconds of this thread's processor time:
 * what else the machine has to do does not count. What is longer than `enoughMs` is measured again, and the least counts:
 * a collection of garbage does not come each time, a stall of the work does.
 */
export async function longestStallOf(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && least > enoughMs; tries += 1) {
    least = Math.min(least, await measure(work));
  }
  return least;
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = processorMs();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isDone = false;
  const tick = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (isDone) resolve();
    else setTimeout(tick, tickMs);
  };
  setTimeout(tick, tickMs);
  await work().finally(() => {
    isDone = true;
  });
  await over;
  return longest;
}

/** Of the thread that asks. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
