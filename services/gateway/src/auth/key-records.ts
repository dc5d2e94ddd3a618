import { type KeyRecord, keyRecordSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import { readRecord } from '../buckets.ts';
import { Leases } from './short-cache.ts';

/** Finds issued keys by the SHA-256 of the key, in hexadecimal. */
export interface KeyRecords {
  /**
   * The record of a key that is good now; undefined for all others, whatever is the matter with them.
   * @throws WireError 503 when the records are being made again, and there is none of the key yet
   */
  findGood(keyHash: string): Promise<KeyRecord | undefined>;
}

export interface KeyRecordsDeps {
  /** `api-keys`. */
  readonly bucket: KV;
  readonly watch: ConnectionWatch;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Reads the bucket `api-keys`, and goes by an active record for a moment. Whoever changes a key is answered after that
 * moment, so that a key which was deactivated, replaced or revoked is refused by the next request. Where a replica of the
 * bucket is asked that lags behind, it is refused a second later at most.
 */
export function createKeyRecords({ bucket, watch, clock }: KeyRecordsDeps): KeyRecords {
  const leases = new Leases<KeyRecord>();
  const readActive = async (keyHash: string): Promise<KeyRecord | undefined> => {
    const entry = await readRecord({ bucket, watch }, keyHash);
    if (!entry) return undefined;
    const record = keyRecordSchema.parse(entry.json());
    return record.state === 'active' ? record : undefined;
  };
  return {
    findGood: async (keyHash) => {
      const record = leases.find(keyHash) ?? (await leases.renew(keyHash, () => readActive(keyHash)));
      return record && !hasEnded(record, clock()) ? record : undefined;
    },
  };
}

function hasEnded({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
