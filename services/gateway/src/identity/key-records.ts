import { setTimeout as delay } from 'node:timers/promises';
import { type KeyRecord, keyRecordSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import { RecentMap } from '../rate-limit/recent-map.ts';

/** Finds issued keys by the SHA-256 of the key, in hexadecimal. */
export interface KeyRecords {
  /** The record of a key that is good now; undefined for all others, whatever is the matter with them. */
  findGood(keyHash: string): Promise<KeyRecord | undefined>;
}

export interface KeyRecordsDeps {
  /** `api-keys`. */
  readonly bucket: KV;
  readonly watch: ConnectionWatch;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** A record, and since when it may have been replaced. */
interface Leased {
  readonly record: KeyRecord;
  /** By `performance.now()`, which nobody sets back. */
  readonly readAt: number;
}

/**
 * How long a gateway goes by a record that it has read, in milliseconds; never make it longer, since gateways of two
 * versions may be running.
 */
const leaseMs = 100;
/** By how much a timer may be early, in milliseconds. */
const timerSlackMs = 5;
/** Of so many keys the record is kept while its lease lasts. */
const maxLeased = 10_000;

/**
 * Reads the bucket `api-keys`, and goes by a good record for a moment. Whoever changes a key is answered after that moment
 * (`untilLeasesEnd`), so that a key which was deactivated, replaced or revoked is refused by the next request. Where a
 * replica of the bucket is asked that lags behind, it is refused a second later at most. What is not good is looked up
 * every time.
 */
export function createKeyRecords({ bucket, watch, clock }: KeyRecordsDeps): KeyRecords {
  const leases = new RecentMap<Leased>(maxLeased);
  const read = async (keyHash: string): Promise<KeyRecord | undefined> => {
    const readAt = performance.now();
    const entry = await watch.ask(() => bucket.get(keyHash));
    const record = entry?.operation === 'PUT' ? keyRecordSchema.parse(entry.json()) : undefined;
    if (record?.state === 'active') leases.set(keyHash, { record, readAt });
    else leases.delete(keyHash);
    return record;
  };
  return {
    findGood: async (keyHash) => {
      const lease = leases.get(keyHash);
      const isRunning = lease !== undefined && performance.now() - lease.readAt < leaseMs;
      const record = isRunning ? lease.record : await read(keyHash);
      return record && isGood(record, clock()) ? record : undefined;
    },
  };
}

/** Resolves when no gateway goes by a record any more that had been replaced when this was called. */
export async function untilLeasesEnd(): Promise<void> {
  await delay(leaseMs + timerSlackMs);
}

function isGood({ state, expiresAt }: KeyRecord, now: number): boolean {
  return state === 'active' && (expiresAt === null || now < Date.parse(expiresAt));
}
