import {
  type AccessEvent,
  accessBuckets,
  accessEvents,
  accessStream,
  type KeyRecord,
  keyRecordSchema,
  type SpaceOwner,
  spaceOwnerSchema,
} from '@mneme/contracts';
import { type EventStore, type Recorded, type RunningProjection, runLeasedProjection } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import { oneAtATime } from '../access/one-at-a-time.ts';
import { bucketProjection } from './bucket-projection.ts';
import { foldLog } from './fold-log.ts';
import { keyRecordRules } from './key-records.ts';
import { type RebuiltBucket, rebuildBucket } from './rebuild-bucket.ts';
import { type BucketName, RecordBucket } from './record-bucket.ts';
import type { RecordRules } from './record-rules.ts';
import { spaceOwnerRules } from './space-owners.ts';

export interface BucketDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<AccessEvent>;
  /** Where it is kept which instance projects. */
  readonly db: Db;
  readonly replicas: number;
  readonly logger: Logger;
}

/** A bucket that follows the log. */
export interface LiveBucket {
  await(sequence: number, waitMs: number): Promise<boolean>;
  rebuild(): Promise<RebuiltBucket>;
  stop(): Promise<void>;
}

/** After so long without a sign of life of the instance that projects, another one takes over, in milliseconds. */
const leaseMs = 3_000;

/** Keeps the records of keys. */
export function keepKeyRecords(
  deps: BucketDeps,
  onApplied: (events: readonly Recorded<AccessEvent>[]) => void,
): Promise<LiveBucket> {
  return keepBucket<KeyRecord>(deps, accessBuckets.apiKeys, keyRecordSchema, keyRecordRules, onApplied);
}

/** Keeps which spaces are whose. */
export function keepSpaceOwners(deps: BucketDeps): Promise<LiveBucket> {
  return keepBucket<SpaceOwner>(deps, accessBuckets.spaceOwners, spaceOwnerSchema, spaceOwnerRules);
}

async function keepBucket<R extends { readonly sequence: number }>(
  { connection, store, db, replicas, logger }: BucketDeps,
  name: BucketName,
  schema: z.ZodType<R>,
  rules: RecordRules<R>,
  onApplied?: (events: readonly Recorded<AccessEvent>[]) => void,
): Promise<LiveBucket> {
  const bucket = await RecordBucket.open(connection, { name, schema, replicas });
  const fold = () => foldLog(connection, rules, { name, logger });
  const rebuild = oneAtATime(() => rebuildBucket({ bucket, rules, fold, head: () => store.head() }));
  const fill = async () => {
    const { records, position } = await rebuild();
    logger.info({ bucket: name, records, position }, 'Filled a bucket from the log');
    return position;
  };
  const projection: RunningProjection = await runLeasedProjection({
    ...{ connection, db, leaseMs, logger },
    stream: accessStream.name,
    catalog: accessEvents,
    projection: bucketProjection({ bucket, rules, fill, ...(onApplied ? { onApplied } : {}) }),
  });
  return { await: projection.await, rebuild, stop: projection.stop };
}
