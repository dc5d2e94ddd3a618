import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** How long a gateway uses a value that it has read, in milliseconds; never longer, since gateways of two versions may run. */
const cacheMs = 100;
/** By how much a timer may fire early, in milliseconds. */
const timerSlackMs = 5;
const maxEntries = 10_000;

/**
 * Values that were read at most 100 ms ago. Who changes such a value delays the answer by `untilCachesExpire`, so that no
 * request after the answer meets the old value.
 */
export class ShortCache<Value extends NonNullable<unknown>> {
  readonly #values = new LRUCache<string, Value>({ max: maxEntries, ttl: cacheMs, ttlResolution: 0 });

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** @param read returns undefined for what is not to be cached */
  async refresh(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    // The value may be replaced while it is being read, so its age counts from the start of the read.
    const start = performance.now();
    const value = await read();
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value, { start });
    return value;
  }
}

/** Resolves when no gateway uses a value any more that was replaced before this was called. */
export async function untilCachesExpire(): Promise<void> {
  await delay(cacheMs + timerSlackMs);
}
