import {
  type AccessEvent,
  accessBucketOptions,
  accessBuckets,
  accessEvents,
  accessStream,
  type KeyRecord,
  keyRecordSchema,
  type SpaceOwner,
  spaceOwnerSchema,
} from '@mneme/contracts';
import { type BucketDeps, keepBucket, type LiveBucket, openBucket, type Recorded } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { keyRecordRules } from './key-records.ts';
import { spaceOwnerRules } from './space-owners.ts';

export type AccessBucketDeps = Omit<BucketDeps<AccessEvent>, 'stream' | 'catalog'>;

/** Makes a bucket unless it is there, and opens it for reads that ask the leader. */
export function openAccessBucket(
  connection: NatsConnection,
  name: keyof typeof accessBucketOptions,
  replicas: number,
): Promise<KV> {
  return openBucket(connection, { name, ...accessBucketOptions[name], replicas });
}

/** Keeps the records of keys. */
export function keepKeyRecords(
  deps: AccessBucketDeps,
  onApplied: (events: readonly Recorded<AccessEvent>[]) => void,
): Promise<LiveBucket> {
  const name = accessBuckets.apiKeys;
  const kept = { name, ...accessBucketOptions[name], schema: keyRecordSchema, rules: keyRecordRules, onApplied };
  return keepBucket<AccessEvent, KeyRecord>(ofAccess(deps), kept);
}

/** Keeps which spaces are whose. */
export function keepSpaceOwners(deps: AccessBucketDeps): Promise<LiveBucket> {
  const name = accessBuckets.spaceOwners;
  const kept = { name, ...accessBucketOptions[name], schema: spaceOwnerSchema, rules: spaceOwnerRules };
  return keepBucket<AccessEvent, SpaceOwner>(ofAccess(deps), kept);
}

function ofAccess({ connection, store, db, replicas, logger }: AccessBucketDeps): BucketDeps<AccessEvent> {
  return { connection, store, db, replicas, logger, stream: accessStream.name, catalog: accessEvents };
}
