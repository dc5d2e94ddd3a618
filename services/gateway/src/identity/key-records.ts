import { type KeyRecord, keyRecordSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';

/** Finds issued keys by the SHA-256 of the key, in hexadecimal. */
export interface KeyRecords {
  /** The record of a key that is good now; undefined for all others, whatever is the matter with them. */
  findGood(keyHash: string): Promise<KeyRecord | undefined>;
}

/**
 * Reads the bucket `api-keys` at every request. Nothing is kept, so that a key which was deactivated, replaced or revoked
 * is refused by the next request; where a replica that lags is asked, within a second.
 * @param deps.clock milliseconds since 1970
 */
export function createKeyRecords(deps: { bucket: KV; watch: ConnectionWatch; clock: () => number }): KeyRecords {
  const { bucket, watch, clock } = deps;
  return {
    findGood: async (keyHash) => {
      const entry = await watch.ask(() => bucket.get(keyHash));
      if (entry?.operation !== 'PUT') return undefined;
      const record = keyRecordSchema.parse(entry.json());
      return isGood(record, clock()) ? record : undefined;
    },
  };
}

function isGood({ state, expiresAt }: KeyRecord, now: number): boolean {
  return state === 'active' && (expiresAt === null || now < Date.parse(expiresAt));
}
