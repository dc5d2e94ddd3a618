import { setImmediate } from 'node:timers/promises';

/** So long events are encoded or decoded before other work of the process gets its turn, in milliseconds. */
const longestTurnMs = 10;

/** What each item becomes, in order. Does not keep the process busy for long, however many there are. */
export async function mapYielding<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  let turnEnds = performance.now() + longestTurnMs;
  for (const item of items) {
    if (performance.now() > turnEnds) {
      await setImmediate();
      turnEnds = performance.now() + longestTurnMs;
    }
    mapped.push(map(item));
  }
  return mapped;
}
