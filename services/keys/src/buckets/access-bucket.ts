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
import { openBucket, type Recorded } from '@mneme/event-store';
import { type BucketDeps, KeptBucket } from '@mneme/read-models';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { aggregateOf } from '../access-rows/projection.ts';
import { keyRecordRules } from './api-keys.ts';
import { spaceOwnerRules } from './space-owners.ts';

export type KeyRecordBucket = KeptBucket<AccessEvent, KeyRecord>;
export type SpaceOwnerBucket = KeptBucket<AccessEvent, SpaceOwner>;
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
): Promise<KeyRecordBucket> {
  const name = accessBuckets.apiKeys;
  const kept = { name, ...accessBucketOptions[name], schema: keyRecordSchema, rules: keyRecordRules };
  return KeptBucket.start<AccessEvent, KeyRecord>(ofAccess(deps), { ...kept, aggregateOf, onApplied });
}

/** Keeps which spaces are whose. */
export function keepSpaceOwners(deps: AccessBucketDeps): Promise<SpaceOwnerBucket> {
  const name = accessBuckets.spaceOwners;
  const kept = { name, ...accessBucketOptions[name], schema: spaceOwnerSchema, rules: spaceOwnerRules };
  return KeptBucket.start<AccessEvent, SpaceOwner>(ofAccess(deps), { ...kept, aggregateOf });
}

function ofAccess({ connection, client, db, replicas, logger }: AccessBucketDeps): BucketDeps<AccessEvent> {
  return { connection, client, db, replicas, logger, stream: accessStream.name, catalog: accessEvents };
}
