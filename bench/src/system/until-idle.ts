import { setTimeout as pause } from 'node:timers/promises';

/** What a system counts while it works on what it has accepted. */
const counters = [
  'mneme_events_appended_total',
  'mneme_model_calls_total',
  'mneme_qdrant_request_duration_seconds_count',
] as const;
const pollMs = 1_000;
const quietMs = 10_000;
const longestMs = 1_800_000;

/**
 * Waits until the system has appended and embedded nothing, and written nothing to Qdrant and deleted nothing there, for ten
 * seconds. What it does in MongoDB alone is not counted.
 * @param metrics in the form of Prometheus
 * @returns when it did something last, on the clock of `performance.now()`; undefined when it still works after half an hour
 */
export async function untilIdle(metrics: () => Promise<string>): Promise<number | undefined> {
  const deadline = performance.now() + longestMs;
  let last = { work: Number.NaN, at: performance.now() };
  while (performance.now() < deadline) {
    const work = workDone(await metrics());
    if (work !== last.work) last = { work, at: performance.now() };
    if (performance.now() - last.at >= quietMs) return last.at;
    await pause(pollMs);
  }
  return undefined;
}

/** Read now and then to see whether the collection is still the same. */
const idleReads = 'operation="retrieve"';

/** The sum of all counters of work. */
export function workDone(metrics: string): number {
  const values = metrics.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
    const isWork = counters.some((counter) => counter === name) && !labels.includes(idleReads);
    return isWork ? [Number(value)] : [];
  });
  return values.reduce((sum, each) => sum + each, 0);
}
