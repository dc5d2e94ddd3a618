import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import type { EventStore } from '../event-store.ts';
import type { EventStoreLogger } from '../logger.ts';
import { runLeasedProjection } from '../mongo/run-leased-projection.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { Recorded } from '../recorded.ts';
import { bucketProjection } from './bucket-projection.ts';
import { foldLog } from './fold-log.ts';
import type { BucketOptions } from './make-bucket.ts';
import { type RebuiltBucket, rebuildBucket } from './rebuild-bucket.ts';
import { RecordBucket } from './record-bucket.ts';
import type { RecordRules } from './record-rules.ts';

/** What buckets of one log share. */
export interface BucketDeps<E extends DomainEvent> {
  readonly connection: NatsConnection;
  readonly store: Pick<EventStore<E>, 'head'>;
  readonly stream: string;
  readonly catalog: EventCatalog<E>;
  /** Where it is kept which instance projects. */
  readonly db: Db;
  readonly replicas: number;
  readonly logger: EventStoreLogger;
}

export interface LiveBucketOptions<E extends DomainEvent, R extends { readonly sequence: number }>
  extends Omit<BucketOptions, 'replicas'> {
  readonly schema: z.ZodType<R>;
  readonly rules: RecordRules<E, R>;
  /** The subjects that its events have; all of the stream unless given. */
  readonly filterSubject?: string;
  /** Called when events are applied. */
  readonly onApplied?: (events: readonly Recorded<E>[]) => void;
}

/** A bucket that follows the log. */
export interface LiveBucket {
  /** Resolves true when it has applied `sequence`, false when that takes longer than `waitMs` milliseconds. */
  await(sequence: number, waitMs: number): Promise<boolean>;
  /** Makes it what the log says that it is, while it is read. */
  rebuild(): Promise<RebuiltBucket>;
  stop(): Promise<void>;
}

/** After so long without a sign of life of the instance that projects, another one takes over, in milliseconds. */
const leaseMs = 3_000;

/** Opens a bucket of records, fills it from the log where it is empty, and keeps it up to date. */
export async function keepBucket<E extends DomainEvent, R extends { readonly sequence: number }>(
  { store, replicas, db, ...log }: BucketDeps<E>,
  { schema, rules, filterSubject, onApplied, ...named }: LiveBucketOptions<E, R>,
): Promise<LiveBucket> {
  const { connection, stream, catalog, logger } = log;
  const bucket = await RecordBucket.open(connection, { ...named, schema, replicas });
  const source = { connection, stream, catalog, logger, ...(filterSubject ? { filterSubject } : {}) };
  const fold = () => foldLog(source, rules, named.name);
  const rebuild = oneAtATime(() => rebuildBucket({ bucket, rules, fold, head: () => store.head() }));
  const fill = async () => {
    const { records, position } = await rebuild();
    logger.info({ bucket: named.name, records, position }, 'Filled a bucket from the log');
    return position;
  };
  const projection = bucketProjection({ bucket, rules, fill, ...(onApplied ? { onApplied } : {}) });
  const running = await runLeasedProjection({ ...source, db, leaseMs, projection });
  return { await: running.await, rebuild, stop: running.stop };
}
