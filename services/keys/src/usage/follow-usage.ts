import { setTimeout as pause } from 'node:timers/promises';
import { accessBuckets, keyUsageSchema } from '@mneme/contracts';
import { allEntries } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { openAccessBucket } from '../bucket/access-buckets.ts';
import type { Usage, UsageRows } from './usage-rows.ts';

export interface FollowUsageDeps {
  readonly connection: NatsConnection;
  readonly replicas: number;
  readonly rows: UsageRows;
  readonly logger: Logger;
}

export interface UsageFollower {
  /** Takes over everything that the gateways have counted; returns of how many keys. */
  refill(): Promise<number>;
  /** Forgets keys that have ended. */
  forget(keyHashes: readonly string[]): void;
  stop(): Promise<void>;
}

/** How often what was counted is written, in milliseconds. */
const writeEveryMs = 1_000;
const pauseAfterFailureMs = 1_000;

/**
 * Keeps the rows of usage by what the gateways have counted. Their records are totals, so that each is read again from
 * the beginning, after whatever has come in between, and nothing is counted twice.
 */
export function followUsage(deps: FollowUsageDeps): UsageFollower {
  const { connection, replicas, rows, logger } = deps;
  const pending = new Map<string, Usage>();
  const stopping = new AbortController();
  const watching = keepWatching(deps, pending, stopping.signal);
  const writing = keepWriting(deps, pending, stopping.signal);
  return {
    refill: async () => {
      const kv = await openAccessBucket(connection, accessBuckets.keyUsage, replicas);
      const found = new Map<string, Usage>();
      for (const entry of await allEntries(kv)) note(found, entry);
      await rows.raise(found);
      return found.size;
    },
    forget: (keyHashes) => {
      forget(deps, keyHashes).catch((error: unknown) => logger.warn({ err: error }, 'Usage of ended keys is left'));
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([watching, writing]);
    },
  };
}

async function keepWatching(
  { connection, replicas, logger }: FollowUsageDeps,
  pending: Map<string, Usage>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !connection.isClosed()) {
    try {
      const kv = await openAccessBucket(connection, accessBuckets.keyUsage, replicas);
      const entries = await kv.watch();
      const stop = () => entries.stop();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      for await (const entry of entries) note(pending, entry);
      signal.removeEventListener('abort', stop);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'The usage of keys cannot be followed; it is tried again');
    }
    await pause(pauseAfterFailureMs, undefined, { signal }).catch(() => undefined);
  }
}

async function keepWriting(
  { rows, logger }: FollowUsageDeps,
  pending: Map<string, Usage>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(writeEveryMs, undefined, { signal }).catch(() => undefined);
    const batch = new Map(pending);
    pending.clear();
    await rows.raise(batch).catch((error: unknown) => {
      logger.warn({ err: error }, 'The usage of keys could not be written; it is tried again');
      for (const [keyHash, usage] of batch) if (!pending.has(keyHash)) pending.set(keyHash, usage);
    });
  }
}

/** What is no record of usage is passed over, deleted ones among it. */
function note(usages: Map<string, Usage>, entry: KvEntry): void {
  if (entry.operation !== 'PUT') return;
  let value: unknown;
  try {
    value = entry.json();
  } catch {
    return;
  }
  const { data: usage } = keyUsageSchema.safeParse(value);
  if (usage) usages.set(entry.key, { requests: usage.requests, lastUsedAt: usage.lastUsedAt });
}

/** A gateway that counts a last request just then leaves a record behind, which does no harm. */
async function forget({ connection, replicas, rows }: FollowUsageDeps, keyHashes: readonly string[]): Promise<void> {
  const kv = await openAccessBucket(connection, accessBuckets.keyUsage, replicas);
  for (const keyHash of keyHashes) await kv.purge(keyHash);
  await rows.forget(keyHashes);
}
