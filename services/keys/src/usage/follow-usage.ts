import { setTimeout as pause } from 'node:timers/promises';
import { accessBuckets, keyUsageSchema } from '@mneme/contracts';
import { type BucketEntry, changedEntries } from '@mneme/event-store';
import { type Logger, watchLink } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { openAccessBucket } from '../buckets/access-bucket.ts';
import type { Usage, UsageRows } from './rows.ts';

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

/**
 * How often it is looked for what was counted, in milliseconds. The records of busy keys change with nearly every request;
 * a watch, which is told of each change, took as long as counting itself.
 */
const lookEveryMs = 1_000;
/** Every so many times everything is looked at, since revisions begin anew in a bucket that was lost. */
const looksPerFullLook = 60;

/**
 * Keeps the rows of usage by what the gateways have counted. Their records are totals, so that each is read again from
 * the beginning, after whatever has come in between, and nothing is counted twice.
 */
export function followUsage(deps: FollowUsageDeps): UsageFollower {
  const { connection, replicas, logger } = deps;
  const stopping = new AbortController();
  const following = keepFollowing(deps, stopping.signal);
  return {
    refill: async () => {
      await openAccessBucket(connection, accessBuckets.keyUsage, replicas);
      return (await takeOver(deps, 1)).count;
    },
    forget: (keyHashes) => {
      forget(deps, keyHashes).catch((error: unknown) => logger.warn({ err: error }, 'Usage of ended keys is left'));
    },
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
}

async function keepFollowing(deps: FollowUsageDeps, signal: AbortSignal): Promise<void> {
  const { connection, replicas, logger } = deps;
  let next = 1;
  // A server that was killed may have lost the last records, and then gives their revisions to others.
  let isSuspect = false;
  const onBack = () => {
    isSuspect = true;
  };
  const link = watchLink(connection, { onBack });
  for (let look = 0; !signal.aborted && !connection.isClosed(); look += 1) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const isFull = isSuspect || look % looksPerFullLook === 0;
    isSuspect = false;
    try {
      next = (await takeOver(deps, isFull ? 1 : next)).next;
    } catch (error) {
      logger.warn({ err: error }, 'The usage of keys cannot be followed; it is tried again');
      isSuspect = true;
      // It may be gone, and made again by nobody else.
      await openAccessBucket(connection, accessBuckets.keyUsage, replicas).catch(() => undefined);
    }
  }
  link.stop();
}

/** Takes over what was counted from a revision of the bucket on; says where to go on, and of how many keys it was. */
async function takeOver({ connection, rows }: FollowUsageDeps, from: number): Promise<{ next: number; count: number }> {
  const { entries, next } = await changedEntries(connection, accessBuckets.keyUsage, from);
  const usages = new Map(entries.flatMap(usageIn));
  await rows.raise(usages);
  return { next, count: usages.size };
}

/** What is no record of usage is passed over. */
function usageIn({ key, value }: BucketEntry): [keyHash: string, Usage][] {
  try {
    const { requests, lastUsedAt } = keyUsageSchema.parse(JSON.parse(Buffer.from(value).toString('utf8')));
    return [[key, { requests, lastUsedAt }]];
  } catch {
    return [];
  }
}

/** A gateway that counts a last request just then leaves a record behind, which does no harm. */
async function forget({ connection, replicas, rows }: FollowUsageDeps, keyHashes: readonly string[]): Promise<void> {
  const kv = await openAccessBucket(connection, accessBuckets.keyUsage, replicas);
  for (const keyHash of keyHashes) await kv.purge(keyHash);
  await rows.forget(keyHashes);
}
