import { setImmediate as afterArrivals, setTimeout as delay } from 'node:timers/promises';
import { WireError } from '@mneme/contracts';
import { type Admission, admit, type Decision, isFull } from './decisions.ts';
import { RecentMap } from './recent-map.ts';
import type { MeteredKey, StoredUsage, UsageStore } from './usage-store.ts';

/** Counts the requests of keys over all gateways, and says which ones are within the limit. */
export interface KeyMeter {
  /**
   * Asks for one request to be let in.
   * @param limit of the key now, in requests per 60 s
   * @throws WireError 503 when the usage of the key could not be written
   */
  take(key: MeteredKey, limit: number): Promise<Decision>;
  /** Whether it is known already that `take` would not let a request in. */
  isFull(keyHash: string, limit: number): boolean;
}

export interface KeyMeterDeps {
  readonly store: UsageStore;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Of so many keys a gateway remembers how they were used; of others it reads it first. */
const maxMeters = 10_000;
/** How often requests try to be counted while other gateways count theirs. */
const maxAttempts = 24;
/** The longest wait before another try, in milliseconds. */
const longestPauseMs = 50;

/**
 * Counts by compare-and-set on one record per key. Requests of one key that arrive while its record is being written are
 * counted together by the next write, so that a key costs one write per round trip, however often it is used.
 */
export function createKeyMeter(deps: KeyMeterDeps): KeyMeter {
  const meters = new RecentMap<Meter>(maxMeters);
  return {
    take: (key, limit) => {
      let meter = meters.get(key.keyHash);
      if (!meter) {
        meter = new Meter(deps, key);
        meters.set(key.keyHash, meter);
      }
      return meter.take(limit);
    },
    isFull: (keyHash, limit) => meters.get(keyHash)?.isFull(limit) ?? false,
  };
}

interface Waiting extends PromiseWithResolvers<Decision> {
  readonly limit: number;
}

class Meter {
  readonly #deps: KeyMeterDeps;
  readonly #key: MeteredKey;
  /** The record as this gateway saw it last; others may have counted since. */
  #known: StoredUsage | undefined;
  #waiting: Waiting[] = [];
  #isCounting = false;

  constructor(deps: KeyMeterDeps, key: MeteredKey) {
    this.#deps = deps;
    this.#key = key;
  }

  take(limit: number): Promise<Decision> {
    const waiting = { limit, ...Promise.withResolvers<Decision>() };
    this.#waiting.push(waiting);
    if (!this.#isCounting) void this.#count();
    return waiting.promise;
  }

  /** What others counted meanwhile could only add, so that a full record is full whatever they did. */
  isFull(limit: number): boolean {
    return this.#known?.usage !== undefined && isFull(this.#known.usage, limit, this.#deps.clock());
  }

  async #count(): Promise<void> {
    this.#isCounting = true;
    while (this.#waiting.length > 0) {
      await afterArrivals();
      const together = this.#waiting.splice(0);
      try {
        const { decisions } = await this.#write(together.map(({ limit }) => limit));
        for (const [index, decision] of decisions.entries()) together[index]?.resolve(decision);
      } catch (error) {
        this.#known = undefined;
        for (const { reject } of together) reject(error);
      }
    }
    this.#isCounting = false;
  }

  async #write(limits: readonly number[]): Promise<Admission> {
    const { store, clock } = this.#deps;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (attempt > 0) await delay(Math.random() * Math.min(2 ** attempt, longestPauseMs));
      this.#known ??= await store.read(this.#key);
      // Decided by the time of this try, so that nothing is let in long after the second that it counts in.
      const admission = admit(this.#known.usage, limits, clock());
      if (!admission.usage) return admission;
      const revision = await store.write(this.#key, admission.usage, this.#known.revision);
      this.#known = revision === undefined ? undefined : { usage: admission.usage, revision };
      if (this.#known) return admission;
    }
    const message = 'The requests of the key could not be counted now, try again';
    throw new WireError({ status: 503, code: 'UNAVAILABLE', message });
  }
}
