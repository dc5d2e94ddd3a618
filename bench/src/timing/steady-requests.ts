import { setTimeout as pause } from 'node:timers/promises';
import { type Latency, latencyOf } from './samples.ts';

export interface SteadyOptions {
  readonly perSecond: number;
  /** For how long, unless it is ended before. */
  readonly seconds: number;
  /** Ends the requests. */
  readonly signal?: AbortSignal;
}

export interface SteadyFigures extends Latency {
  readonly maxMs: number;
  /** How many were answered with something other than 200, or not at all. */
  readonly refused: number;
}

/**
 * Sends requests at a steady rate, whether earlier ones are answered or not. The time of a request runs from when it was
 * due, so that one that had to wait for its turn to be sent counts as slow too.
 */
export async function sendSteadily(
  { perSecond, seconds, signal }: SteadyOptions,
  request: (index: number) => Promise<unknown>,
): Promise<SteadyFigures> {
  const durations: number[] = [];
  const sent: Promise<void>[] = [];
  let refused = 0;
  const startedAt = performance.now();
  const send = async (index: number) => {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    try {
      await request(index);
      durations.push(performance.now() - dueAt);
    } catch {
      refused += 1;
    }
  };
  const total = perSecond * seconds;
  while (sent.length < total && !signal?.aborted) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) + 1);
    while (sent.length < due) sent.push(send(sent.length));
    await pause(1);
  }
  await Promise.all(sent);
  return { ...latencyOf(durations), maxMs: durations.reduce((max, each) => Math.max(max, each), 0), refused };
}
