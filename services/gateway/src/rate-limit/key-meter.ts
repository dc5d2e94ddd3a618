import { setImmediate as afterArrivals, setTimeout as delay } from 'node:timers/promises';
import type { KeyUsage } from '@mneme/contracts';
import { isNatsFull } from '@mneme/service-kit';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../errors.ts';
import { type Decision, type Decisions, decide, isFull } from './decisions.ts';
import { GatewayClock } from './gateway-clock.ts';
import { behindOf, isAhead } from './sliding-window.ts';
import { type MeteredKey, type StoredUsage, type UsageStore, usageAt } from './usage-store.ts';

/** Counts the requests of keys over all gateways, and decides which are within the limit. */
export interface KeyMeter {
  /**
   * Counts one request.
   * @param limit the limit of the key now, in requests per 60 s
   * @throws WireError 503 when the usage of the key could not be written, but for the limit of what NATS may store
   */
  take(key: MeteredKey, limit: number): Promise<Decision>;
  /** Whether this gateway already knows that `take` would not admit a request. */
  isFull(keyHash: string, limit: number): boolean;
}

export interface KeyMeterDeps {
  readonly store: UsageStore;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** How many keys a gateway remembers the usage of; it reads that of others first. */
const maxMeters = 10_000;
/** How often a write is tried while other gateways write the same record. */
const maxAttempts = 24;
/** The longest backoff before another try, in milliseconds. */
const longestPauseMs = 50;

/**
 * Counts by compare-and-set on one record per key. Requests of one key that arrive while its record is being written are
 * counted together by the next write, so a key costs one write per round trip, however often it is used.
 */
export function createKeyMeter(deps: KeyMeterDeps): KeyMeter {
  const meters = new LRUCache<string, Meter>({ max: maxMeters });
  const clock = new GatewayClock({ clock: deps.clock, serverTime: deps.store.serverTime });
  return {
    take: (key, limit) => {
      let meter = meters.get(key.keyHash);
      if (!meter) {
        meter = new Meter(deps.store, clock, key);
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
  readonly #store: UsageStore;
  readonly #clock: GatewayClock;
  readonly #key: MeteredKey;
  /** The record as this gateway last saw it; others may have counted since. */
  #known: StoredUsage | undefined;
  /** Whether what is known holds requests that NATS had no room for. */
  #isAheadOfStore = false;
  #waiting: Waiting[] = [];
  #isCounting = false;

  constructor(store: UsageStore, clock: GatewayClock, key: MeteredKey) {
    this.#store = store;
    this.#clock = clock;
    this.#key = key;
  }

  take(limit: number): Promise<Decision> {
    const waiting = { limit, ...Promise.withResolvers<Decision>() };
    this.#waiting.push(waiting);
    if (!this.#isCounting) void this.#count();
    return waiting.promise;
  }

  /** Other gateways can only have added requests since, so a full record stays full. */
  isFull(limit: number): boolean {
    const usage = this.#known?.usage;
    return usage !== undefined && !isAhead(usage.recent, this.#clock.now()) && isFull(usage, limit, this.#clock.now());
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
        if (!this.#isAheadOfStore) this.#known = undefined;
        for (const { reject } of together) reject(error);
      }
    }
    this.#isCounting = false;
  }

  async #write(limits: readonly number[]): Promise<Decisions> {
    await this.#clock.compare();
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (attempt > 0) await delay(Math.random() * Math.min(2 ** attempt, longestPauseMs));
      const known = await this.#read();
      // Decided by the time of this try, so that no request is admitted long after the second that it counts in.
      const decided = decide(known.usage, limits, this.#clock.now());
      if (!decided.usage) return decided;
      const revision = await this.#keep(decided.usage, known.revision);
      this.#known = revision === undefined ? undefined : { usage: decided.usage, revision };
      if (this.#known) return decided;
    }
    throw unavailable('The requests of the key could not be counted now, try again');
  }

  /**
   * While NATS may store no more, requests are counted here alone, so that those that only read are answered. The first write
   * that it takes again has them as well, unless another gateway was faster.
   * @returns the revision of the record; undefined when another gateway was faster
   */
  async #keep(usage: KeyUsage, revision: number): Promise<number | undefined> {
    try {
      const written = await this.#store.write(this.#key, usage, revision);
      this.#isAheadOfStore = false;
      return written;
    } catch (error) {
      if (!isNatsFull(error)) throw error;
      this.#isAheadOfStore = true;
      return revision;
    }
  }

  /**
   * What is known was counted by a clock that was wrong, or has been put back since, when it is far ahead of the time. What was
   * written later than now shows that this clock is behind before its next comparison.
   */
  async #read(): Promise<StoredUsage> {
    if (this.#known && !isAhead(this.#known.usage?.recent ?? [], this.#clock.now())) return this.#known;
    if (this.#known && this.#isAheadOfStore) {
      this.#known = await this.#compared(this.#known);
      return this.#known;
    }
    const read = await this.#store.read(this.#key);
    const isFromFuture = read.writtenMs !== undefined && behindOf(this.#clock.now(), read.writtenMs) > 0;
    this.#known = isFromFuture ? await this.#compared(read) : read;
    return this.#known;
  }

  /** The clock of the server may have been wrong as well when it wrote what was read. */
  async #compared(read: StoredUsage): Promise<StoredUsage> {
    const serverMs = await this.#clock.compareNow();
    return { ...read, usage: read.usage && usageAt(read.usage, serverMs) };
  }
}
