import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 10;

/** Asks again and again until the condition holds; fails when `deadlineMs` milliseconds have passed. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`The condition did not hold within ${deadlineMs} ms: ${condition}`);
    await pause(pollMs);
  }
}
