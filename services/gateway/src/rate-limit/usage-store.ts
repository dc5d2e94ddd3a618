import { type KeyUsage, keyUsageSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import { ignoreConflict } from '../idempotency/conflict.ts';

/** What is known about the usage of a key. */
export interface StoredUsage {
  /** Undefined before the first use. */
  readonly usage: KeyUsage | undefined;
  readonly revision: number;
}

/** Where the usage of keys is kept, for all gateways. */
export interface UsageStore {
  read(keyHash: string): Promise<StoredUsage>;
  /** Replaces the record of `revision`; the new revision, or undefined when another one is there. */
  write(keyHash: string, usage: KeyUsage, revision: number): Promise<number | undefined>;
}

/** Keeps usage in the NATS KV bucket `key-usage`. */
export function createUsageStore(bucket: KV, { ask }: ConnectionWatch): UsageStore {
  return {
    read: async (keyHash) => {
      const entry = await ask(() => bucket.get(keyHash));
      if (entry?.operation !== 'PUT') return { usage: undefined, revision: entry?.revision ?? 0 };
      return { usage: keyUsageSchema.parse(entry.json()), revision: entry.revision };
    },
    // A write that is repeated because its answer was lost meets its own record as a conflict, and counts once more:
    // rather a request too many is counted than one too few.
    write: (keyHash, usage, revision) =>
      ask(() => ignoreConflict(bucket.put(keyHash, JSON.stringify(usage), { previousSeq: revision }))),
  };
}
