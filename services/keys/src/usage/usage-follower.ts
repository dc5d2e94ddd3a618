import { setTimeout as pause } from 'node:timers/promises';
import { accessBuckets, keyUsageSchema } from '@mneme/contracts';
import { type BucketEntry, changedEntries, type Log, openBucket, openLog, streamState } from '@mneme/event-store';
import { type Logger, watchLink } from '@mneme/service-kit';
import { createLimiter, type Limiter } from '@mneme/workers/limiter';
import { mapInSlices } from '@mneme/workers/time-slices';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Usage, UsageRows } from './rows.ts';

export interface UsageFollowerDeps {
  readonly connection: NatsConnection;
  readonly replicas: number;
  readonly rows: UsageRows;
  readonly logger: Logger;
}

export interface UsageFollower {
  /** Copies everything that the gateways have counted; returns the number of keys. */
  refill(): Promise<number>;
  /** Deletes the records of keys that have ended; their rows are deleted by each follower that sees it. */
  forget(keyHashes: readonly string[]): void;
  stop(): Promise<void>;
}

/** One copy at a time: one that has read a record must not write its row after another one has seen the record go. */
type Copying = UsageFollowerDeps & { readonly copies: Limiter };

/**
 * How often the bucket is polled, in milliseconds. A watch would be told of nearly every request, and measured it cost as
 * much as counting itself.
 */
const pollEveryMs = 1_000;

/** How far the bucket was copied. */
interface Copied {
  /** Tells this bucket and these rows from others of the same name: in a bucket that is made again, revisions begin at 1. */
  readonly identity: string;
  /** The revision to continue at. */
  readonly next: number;
}

/**
 * Copies what the gateways have counted to the rows of usage. The gateways' records are totals, so reading one again, or
 * skipping some of its revisions, counts nothing twice.
 */
export function startUsageFollower(deps: UsageFollowerDeps): UsageFollower {
  const { connection, replicas, logger } = deps;
  const copying = { ...deps, copies: createLimiter(1) };
  const stopping = new AbortController();
  const polling = keepPolling(copying, stopping.signal);
  return {
    refill: async () => {
      await openBucket(connection, { ...accessBuckets.keyUsage, replicas });
      return (await copyFrom(copying, 1)).count;
    },
    forget: (keyHashes) => {
      forget(deps, keyHashes).catch((error: unknown) =>
        logger.warn({ err: error }, 'Could not delete the usage records of revoked keys'),
      );
    },
    stop: async () => {
      stopping.abort();
      await polling;
    },
  };
}

async function keepPolling(deps: Copying, signal: AbortSignal): Promise<void> {
  const { connection, replicas, logger } = deps;
  const log = openLog(connection, `KV_${accessBuckets.keyUsage.name}`);
  let copied: Copied | undefined;
  // A server that was killed may have lost its last records, and then assigns their revisions to others.
  let mayHaveLost = false;
  const onBack = () => {
    mayHaveLost = true;
  };
  const link = watchLink(connection, { onBack });
  while (!signal.aborted && !connection.isClosed()) {
    await pause(pollEveryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    if (mayHaveLost) copied = undefined;
    mayHaveLost = false;
    try {
      copied = await copyChanges(deps, log, copied);
    } catch (error) {
      logger.warn({ err: error }, 'The usage of keys cannot be followed; it is tried again');
      mayHaveLost = true;
      // The bucket may be lost, and gateways create it again only for requests with keys.
      await openBucket(connection, { ...accessBuckets.keyUsage, replicas }).catch(() => undefined);
    }
  }
  link.stop();
}

/** Copies what has changed since. Everything, if that is unknown, or the bucket or the rows were lost. */
async function copyChanges(deps: Copying, log: Log, copied: Copied | undefined): Promise<Copied> {
  const [{ createdAt, head }, rows] = await Promise.all([streamState(log), deps.rows.identity()]);
  const identity = `${createdAt} ${rows}`;
  const isSame = copied?.identity === identity && copied.next <= head + 1;
  const from = isSame ? copied.next : 1;
  return { identity, next: from > head ? from : (await copyFrom(deps, from)).next };
}

/** Copies the entries from a revision on. Returns the revision to continue at, and the number of keys. */
function copyFrom({ connection, rows, copies }: Copying, from: number): Promise<{ next: number; count: number }> {
  return copies.run(async () => {
    const { entries, deleted, next } = await changedEntries(connection, accessBuckets.keyUsage.name, from);
    const usages = new Map((await mapInSlices(entries, usageIn)).flat());
    await rows.raise(usages);
    // Only here, after what was read before: each instance that may still have written the row deletes it again.
    await rows.forget(deleted);
    return { next, count: usages.size };
  });
}

/** Entries that are no record of usage are skipped. */
function usageIn({ key, value }: BucketEntry): [keyHash: string, Usage][] {
  try {
    const { requests, lastUsedAt } = keyUsageSchema.parse(JSON.parse(Buffer.from(value).toString('utf8')));
    return [[key, { requests, lastUsedAt }]];
  } catch {
    return [];
  }
}

/** A gateway that counts a last request at the same moment leaves a record behind, which does no harm. */
async function forget({ connection, replicas }: UsageFollowerDeps, keyHashes: readonly string[]): Promise<void> {
  const kv = await openBucket(connection, { ...accessBuckets.keyUsage, replicas });
  for (const keyHash of keyHashes) await kv.purge(keyHash);
}
