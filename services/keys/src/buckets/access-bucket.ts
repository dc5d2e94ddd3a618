import { type AccessEvent, accessBucketOptions, accessEvents, accessStream } from '@mneme/contracts';
import { openBucket } from '@mneme/event-store';
import type { BucketDeps } from '@mneme/read-models';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';

/** What a bucket of the access area is kept with. */
export type AccessBucketDeps = Omit<BucketDeps<AccessEvent>, 'stream' | 'catalog'>;

/** Creates the bucket unless it exists, and opens it for reads that ask the leader. */
export function openAccessBucket(
  connection: NatsConnection,
  name: keyof typeof accessBucketOptions,
  replicas: number,
): Promise<KV> {
  return openBucket(connection, { name, ...accessBucketOptions[name], replicas });
}

/** Adds the log that the buckets of the access area follow. */
export function followingAccess(deps: AccessBucketDeps): BucketDeps<AccessEvent> {
  const { connection, client, db, replicas, logger } = deps;
  return { connection, client, db, replicas, logger, stream: accessStream.name, catalog: accessEvents };
}
