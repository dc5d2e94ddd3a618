import { setTimeout as delay } from 'node:timers/promises';
import { RecentMap } from '../rate-limit/recent-map.ts';

/**
 * How long a gateway goes by something that it has read, in milliseconds; never make it longer, since gateways of two
 * versions may be running.
 */
const leaseMs = 100;
/** By how much a timer may be early, in milliseconds. */
const timerSlackMs = 5;
/** Of so much a value is kept while its lease lasts. */
const maxLeased = 10_000;

interface Leased<Value> {
  readonly value: Value;
  /** Since when it may have been replaced, by `performance.now()`, which nobody sets back. */
  readonly readAt: number;
}

/**
 * What was read a moment ago. Whoever replaces it holds the answer back until the moment is over (`untilLeasesEnd`), so
 * that nobody who has the answer meets the old value.
 */
export class Leases<Value> {
  readonly #leased = new RecentMap<Leased<Value>>(maxLeased);

  /** The value, if it was read a moment ago. */
  find(key: string): Value | undefined {
    const leased = this.#leased.get(key);
    return leased && performance.now() - leased.readAt < leaseMs ? leased.value : undefined;
  }

  /** @param read gives undefined for what is not to be kept, which is then read every time */
  async renew(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const readAt = performance.now();
    const value = await read();
    if (value === undefined) this.#leased.delete(key);
    else this.#leased.set(key, { value, readAt });
    return value;
  }
}

/** Resolves when no gateway goes by anything any more that had been replaced when this was called. */
export async function untilLeasesEnd(): Promise<void> {
  await delay(leaseMs + timerSlackMs);
}
