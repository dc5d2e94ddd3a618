import { type KeyUsage, keyUsageSchema, WireError } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import { ignoreConflict, isFull } from '../idempotency/conflict.ts';

/** A key, as far as its requests are counted. */
export interface MeteredKey {
  /** Of the record, which stays when the key is regenerated. */
  readonly keyId: number;
  /** SHA-256 of the key, in hexadecimal. */
  readonly keyHash: string;
}

/** What is known about the usage of a key. */
export interface StoredUsage {
  /** Undefined before the first use. */
  readonly usage: KeyUsage | undefined;
  readonly revision: number;
}

/** Where the usage of keys is kept, for all gateways. */
export interface UsageStore {
  /** A key that was never used has the window of the one that it replaces. */
  read(key: MeteredKey): Promise<StoredUsage>;
  /**
   * Replaces the record of `revision`; the new revision, or undefined when another one is there.
   * @throws WireError 503 when there is no room for it
   */
  write(key: MeteredKey, usage: KeyUsage, revision: number): Promise<number | undefined>;
}

export interface UsageBuckets {
  /** `key-usage`, by the hash of the key. */
  readonly usage: KV;
  /** `key-windows`, by the id of the key. */
  readonly windows: KV;
}

/**
 * Keeps usage in two NATS KV buckets: totals and window of each key, and the window once more under the id of the key's
 * record. From there a regenerated key takes it over, since the rate limit is that of the record.
 */
export function createUsageStore(buckets: UsageBuckets, { ask }: ConnectionWatch): UsageStore {
  const { usage: usages, windows } = buckets;
  return {
    read: async ({ keyId, keyHash }) => {
      const entry = await ask(() => usages.get(keyHash));
      if (entry?.operation === 'PUT') return { usage: keyUsageSchema.parse(entry.json()), revision: entry.revision };
      // A window that cannot be read is forgiven.
      const recent = await ask(() => windowOf(windows, keyId)).catch(() => undefined);
      return { usage: recent && { ...unused, recent }, revision: entry?.revision ?? 0 };
    },
    write: async ({ keyId, keyHash }, usage, revision) => {
      // A write that is repeated because its answer was lost meets its own record as a conflict, and counts once more:
      // rather a request too many is counted than one too few.
      const write = () => ignoreConflict(usages.put(keyHash, JSON.stringify(usage), { previousSeq: revision }));
      // Only a key that is regenerated within the next minute misses the copy, so that it holds up nobody.
      const copy = windows.put(String(keyId), JSON.stringify(usage.recent)).catch(() => undefined);
      const [written] = await Promise.all([ask(write).catch(refuseWhenFull), copy]);
      return written;
    },
  };
}

/** Any time is later. */
const unused = { requests: 0, lastUsedAt: new Date(0).toISOString() };

async function windowOf(windows: KV, keyId: number): Promise<KeyUsage['recent'] | undefined> {
  const entry = await windows.get(String(keyId));
  return entry?.operation === 'PUT' ? keyUsageSchema.shape.recent.parse(entry.json()) : undefined;
}

function refuseWhenFull(error: unknown): never {
  if (!isFull(error)) throw error;
  const message = 'There is no room to count the requests of the key; the bucket key-usage has reached its bound';
  throw new WireError({ status: 503, code: 'UNAVAILABLE', message }, { cause: error });
}
