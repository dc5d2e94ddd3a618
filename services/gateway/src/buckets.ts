import { bucketCheckpoint, WireError } from '@mneme/contracts';
import { type BucketOptions, type ConnectionWatch, makeBucket, openBucket, storedEntry } from '@mneme/event-store';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import type { z } from 'zod';

/** A bucket of which most reads ask any server, since that is faster. */
export interface RecordBucket {
  readonly bucket: KV;
  /** The same bucket, read from its leader, which alone has all that was written. */
  readonly leader: KV;
  readonly watch: ConnectionWatch;
}

/** Opens a bucket, and makes it if need be. */
export async function openRecordBucket(
  connection: NatsConnection,
  { watch, ...options }: BucketOptions & Pick<RecordBucket, 'watch'>,
): Promise<RecordBucket> {
  const bucket = await makeBucket(connection, options);
  return { bucket, leader: await openBucket(connection, options), watch };
}

/** Which record is looked for. */
export interface RecordQuery<T> {
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** Whether a record grants what is asked for. One that does not may be out of date, so the leader is asked too. */
  readonly grants: (record: T) => boolean;
}

/**
 * Reads a record of a bucket that a service keeps. A missing record means an unknown key only if the bucket is filled,
 * which its checkpoint says.
 * @returns undefined when there is no record of the key
 * @throws WireError 503 `REBUILDING` when there is no record and the bucket is being rebuilt
 */
export async function readRecord<T>(records: RecordBucket, query: RecordQuery<T>): Promise<T | undefined> {
  const found = await find(records, query);
  if (found !== undefined && query.grants(found)) return found;
  if (found === undefined && !(await entryOf(records, bucketCheckpoint))) throw notFilled();
  // The record may have been written between the two reads, and the checkpoint after it; or a follower lacks it yet.
  return readNewest(records, query);
}

/** Like `readRecord`, for a bucket without which nothing is refused: there a missing record may just be missing. */
export async function readIfThere<T>(records: RecordBucket, query: RecordQuery<T>): Promise<T | undefined> {
  const found = await find(records, query);
  return found !== undefined && query.grants(found) ? found : readNewest(records, query);
}

/** Reads a record as it is now, from the leader. */
export function readNewest<T>(
  records: RecordBucket,
  query: Pick<RecordQuery<T>, 'key' | 'schema'>,
): Promise<T | undefined> {
  return find(records, query, records.leader);
}

async function find<T>(
  records: RecordBucket,
  { key, schema }: Pick<RecordQuery<T>, 'key' | 'schema'>,
  from?: KV,
): Promise<T | undefined> {
  const entry = await entryOf(records, key, from);
  return entry && schema.parse(entry.json());
}

function entryOf({ bucket, watch }: RecordBucket, key: string, from = bucket): Promise<KvEntry | undefined> {
  return watch.ask(() => storedEntry(from, key));
}

function notFilled(): WireError {
  const message = 'Credentials cannot be checked while their records are made again; try again';
  return new WireError({ status: 503, code: 'REBUILDING', message, extra: { retry_after: 5 } });
}
