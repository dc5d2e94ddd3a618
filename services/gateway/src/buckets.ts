import { bucketCheckpoint, WireError } from '@mneme/contracts';
import { type BucketOptions, type ConnectionWatch, makeBucket, openBucket } from '@mneme/event-store';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';

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

/**
 * Reads a record of a bucket that a service keeps. A missing record means an unknown key only if the bucket is filled,
 * which its checkpoint says.
 * @returns undefined when there is no record of the key
 * @throws WireError 503 `REBUILDING` when there is no record and the bucket is being rebuilt
 */
export async function readRecord({ bucket, leader, watch }: RecordBucket, key: string): Promise<KvEntry | undefined> {
  const find = async (name: string, from = bucket) => {
    const entry = await watch.ask(() => from.get(name));
    return entry?.operation === 'PUT' ? entry : undefined;
  };
  const found = await find(key);
  if (found) return found;
  if (!(await find(bucketCheckpoint))) throw notFilled();
  // The record may have been written between the two reads, and the checkpoint after it; or a follower lacks it yet.
  return find(key, leader);
}

function notFilled(): WireError {
  const message = 'Credentials cannot be checked while their records are made again; try again';
  return new WireError({ status: 503, code: 'REBUILDING', message, extra: { retry_after: 5 } });
}
