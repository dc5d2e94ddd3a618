import { type AgentRef, agentKey } from '@mneme/contracts';
import type { Progress } from '../operations/operation-waiters.ts';
import { type ForgetDeps, finishErasures } from './forget-agents.ts';

export interface AwaitErasure extends AgentRef {
  /** Of the erasure. */
  readonly sequence: number;
  readonly waitMs: number;
}

/**
 * Makes the function that waits until an agent is forgotten, and does what is left to do for that. The work goes on when the
 * time is over; who asks again waits for the same work.
 */
export function awaitErasure(deps: ForgetDeps, progress: Progress) {
  const running = new Map<string, Promise<void>>();
  const finish = (key: string): Promise<void> => {
    const work = running.get(key) ?? finishErasures(deps, [key]).finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };
  return async ({ sequence, waitMs, ...agent }: AwaitErasure): Promise<{ isDone: boolean }> => {
    const deadline = Date.now() + waitMs;
    if (!(await progress.await(sequence, waitMs))) return { isDone: false };
    return { isDone: await within(finish(agentKey(agent)), deadline - Date.now()) };
  };
}

async function within(work: Promise<void>, waitMs: number): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), waitMs);
  const isDone = work.then(() => true);
  // Whoever asks again is told of a failure that comes when nobody waits.
  isDone.catch(() => undefined);
  return Promise.race([isDone, isLate]).finally(() => clearTimeout(timer));
}
