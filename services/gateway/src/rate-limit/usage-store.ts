import { accessBuckets, type KeyUsage, keyUsageSchema } from '@mneme/contracts';
import { bucketTime, ignoreConflict, makeBucket, storedEntry } from '@mneme/event-store';
import type { KV, KvEntry } from '@nats-io/kv';
import { refuseWhenFull } from '../errors.ts';
import { type GatewayBucketDeps, openGatewayBucket } from '../gateway-bucket.ts';
import { windowSeconds, writtenAt } from './sliding-window.ts';

/** A key whose requests are counted. */
export interface MeteredKey {
  /** The id of the record, which stays the same when the key is regenerated. */
  readonly keyId: number;
  /** SHA-256 of the key, in hexadecimal. */
  readonly keyHash: string;
}

/** What is known about the usage of a key. */
export interface StoredUsage {
  /** Undefined before the first use. */
  readonly usage: KeyUsage | undefined;
  readonly revision: number;
  /** When it was written, in milliseconds since 1970 by the clock of the server; undefined for what was never read. */
  readonly writtenMs?: number | undefined;
}

/** Stores the usage of keys for all gateways. */
export interface UsageStore {
  /** A key that was never used has the window of the key that it replaces. */
  read(key: MeteredKey): Promise<StoredUsage>;
  /**
   * Replaces the record of `revision`.
   * @returns the new revision, or undefined when the record has another revision by now
   * @throws WireError 503 when the bucket is full
   */
  write(key: MeteredKey, usage: KeyUsage, revision: number): Promise<number | undefined>;
  /** The time now by the clock of the server, in milliseconds since 1970. */
  serverTime(): Promise<number>;
}

/** The usage as it can be at a time that has passed for certain: what is ahead of that was counted by a wrong clock. */
export function usageAt(usage: KeyUsage, passedMs: number): KeyUsage {
  return {
    ...usage,
    lastUsedAt: new Date(Math.min(Date.parse(usage.lastUsedAt), passedMs)).toISOString(),
    recent: writtenAt(usage.recent, passedMs).map(([atMs, count]) => [atMs, count]),
  };
}

const noRoom = 'There is no room to count the requests of the key; the bucket key-usage has reached its bound';

/** The window of each key by the id of its record, for the key that replaces it. */
const keyWindowsOptions = {
  name: 'key-windows',
  description: 'When keys were used last, by the id of the key',
  history: 1,
  persistMode: 'async',
  ttlMs: 2 * windowSeconds * 1_000,
  maxBytes: 32 * 1_024 * 1_024,
} as const;

/**
 * Keeps usage in two NATS KV buckets: in `key-usage` totals and window of each key, by the hash of the key, and in
 * `key-windows` the window once more, by the id of the key's record. From there a regenerated key takes it over, since the
 * rate limit belongs to the record.
 */
export async function openUsageStore(deps: GatewayBucketDeps): Promise<UsageStore> {
  const [{ bucket: usages, ask }, { bucket: windows, ask: askWindows }] = await Promise.all([
    openGatewayBucket(deps, accessBuckets.keyUsage, makeBucket),
    openGatewayBucket(deps, keyWindowsOptions, makeBucket),
  ]);
  return {
    read: async ({ keyId, keyHash }) => {
      const entry = await ask(() => usages.get(keyHash));
      if (entry?.operation === 'PUT') return { ...usageOf(entry), revision: entry.revision };
      // A window that cannot be read counts as empty.
      const replaced = await askWindows(() => windowOf(windows, keyId)).catch(() => undefined);
      return { usage: undefined, ...replaced, revision: entry?.revision ?? 0 };
    },
    write: async ({ keyId, keyHash }, usage, revision) => {
      // A write that is repeated because its answer was lost meets its own record as a conflict and counts once more: one
      // request too many is better than one too few.
      const write = () => ignoreConflict(usages.put(keyHash, JSON.stringify(usage), { previousSeq: revision }));
      // Best effort: only a key that is regenerated within the next minute would miss the copy.
      const putWindow = () => windows.put(String(keyId), JSON.stringify(usage.recent));
      const copy = askWindows(putWindow).catch(() => undefined);
      const [written] = await Promise.all([ask(write).catch(refuseWhenFull(noRoom)), copy]);
      return written;
    },
    serverTime: () => ask(() => bucketTime(usages)),
  };
}

const unused = { requests: 0, lastUsedAt: new Date(0).toISOString() };

async function windowOf(windows: KV, keyId: number): Promise<Omit<StoredUsage, 'revision'> | undefined> {
  const entry = await storedEntry(windows, String(keyId));
  return entry && asWritten({ ...unused, recent: keyUsageSchema.shape.recent.parse(entry.json()) }, entry);
}

function usageOf(entry: KvEntry): Omit<StoredUsage, 'revision'> {
  return asWritten(keyUsageSchema.parse(entry.json()), entry);
}

function asWritten(usage: KeyUsage, { created }: KvEntry): Omit<StoredUsage, 'revision'> {
  const writtenMs = created.getTime();
  return { usage: usageAt(usage, writtenMs), writtenMs };
}
