import { latencyOf } from './samples.ts';

/** Many requests of one kind, some of them under way together. */
export interface Throughput {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Does all requests, in order, so many of them at once. */
export async function inFlight(atOnce: number, requests: readonly (() => Promise<unknown>)[]): Promise<Throughput> {
  const durations: number[] = [];
  const waiting = requests.values();
  const work = async () => {
    for (const request of waiting) {
      const startedAt = performance.now();
      await request();
      durations.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { p50Ms, p95Ms, p99Ms } = latencyOf(durations);
  return { perSecond: requests.length / seconds, p50Ms, p95Ms, p99Ms };
}
