import { DiscardPolicy, JetStreamApiError, jetstreamManager, PersistMode, StorageType } from '@nats-io/jetstream';
import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { NatsStorageTooSmallError } from '../errors.ts';
import { assertCluster, explainRefusal, isRecovered, streamExists, wantedReplicas } from '../log/ensure-stream.ts';
import { makeAndAwaitLeader } from '../log/make-and-await-leader.ts';

/** How a NATS KV bucket is made. */
export interface BucketOptions {
  readonly name: string;
  readonly description: string;
  /** How many values of each key are kept. */
  readonly history: number;
  /** How many servers keep it: 1, 3 or 5. A bucket that more of them keep stays as it is. */
  readonly replicas: number;
  /**
   * `async`: acknowledged before it is written to the file, some milliseconds later, and not synced to the disk, where
   * one server keeps it. For what may go back by as much when that server is killed, and is written far too often to be
   * synced each time.
   */
  readonly persistMode?: 'async';
  /** How many bytes it may take; a write that would make it larger is refused. The server sets them aside. No bound unless given. */
  readonly maxBytes?: number;
  /** Whether a larger bound, which an operator has given it, or none at all, stays. */
  readonly keepsLarger?: boolean;
  /** How long a value is kept, in milliseconds; for ever unless given. */
  readonly ttlMs?: number;
}

/** Makes a bucket unless it is there, sees to its bound and copies, and opens it; reads ask any server that has it. @throws NatsStorageTooSmallError, NoClusterError */
export function makeBucket(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  const { name, replicas } = options;
  return makeAndAwaitLeader({ connection, stream: `KV_${name}`, replicas }, () => makeOnce(connection, options));
}

async function makeOnce(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  try {
    return await makeAndAdjust(connection, options);
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === noStorage))
      throw explainRefusal(error, options.replicas);
    throw new NatsStorageTooSmallError(options.name, options.maxBytes ?? 0, { cause: error });
  }
}

async function makeAndAdjust(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  const { name, description, history, replicas, persistMode, maxBytes = -1, ttlMs } = options;
  const isThere = await streamExists(connection, `KV_${name}`);
  // Replicated streams know no other way of writing than this one; there, the others have it when a server is killed.
  // NATS asks for the room of a bucket once more when it is added again as it is.
  if (persistMode === 'async' && replicas === 1 && !isThere) await addAsync(connection, options);
  const bucket = await new Kvm(connection).create(name, {
    description,
    history,
    replicas,
    max_bytes: maxBytes,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
  });
  await adjust(connection, options, isThere);
  return bucket;
}

/** A bucket from before it had this bound, or from before as many servers were to keep it, gets what it lacks. */
async function adjust(connection: NatsConnection, options: BucketOptions, wasThere: boolean): Promise<void> {
  const { maxBytes, keepsLarger = false, replicas } = options;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const { streams } = manager;
  const info = await streams.info(`KV_${options.name}`);
  const { config } = info;
  const { max_bytes } = config;
  const isBounded =
    maxBytes === undefined || max_bytes === maxBytes || (keepsLarger && (max_bytes < 0 || max_bytes > maxBytes));
  // NATS changes neither the copies of a bucket that persists asynchronously nor how it persists.
  const num_replicas = config.persist_mode === PersistMode.Async ? config.num_replicas : wantedReplicas(info, replicas);
  const isKept = config.num_replicas === num_replicas;
  if (isBounded && isKept && (wasThere || !isRecovered(info))) return;
  if (num_replicas > config.num_replicas) await assertCluster(manager, config, num_replicas);
  await streams.update(config.name, { ...(!isBounded && { max_bytes: maxBytes }), ...(!isKept && { num_replicas }) });
}

/** Makes a bucket unless it is there, and opens it for reads that ask the leader. */
export async function openBucket(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  await makeBucket(connection, options);
  return new Kvm(connection).open(options.name, { allow_direct: false });
}

/** What a bucket has under a key; undefined when there is nothing, or it was deleted. */
export async function storedEntry(bucket: KV, key: string): Promise<KvEntry | undefined> {
  const entry = await bucket.get(key);
  return entry?.operation === 'PUT' ? entry : undefined;
}

/**
 * The time now by the clock that sets `created` of the entries of a bucket, in milliseconds since 1970. Needed for the age of
 * an entry, since the clock of this process may be wrong.
 */
export async function bucketTime(bucket: KV): Promise<number> {
  const { ts } = (await bucket.status()).streamInfo;
  if (ts === undefined) throw new Error('The NATS server does not name its time; 2.10 and later do');
  return Date.parse(ts);
}

/** Adds the stream of a bucket, as the client library would but for how it persists, of which that knows nothing. */
async function addAsync(connection: NatsConnection, options: BucketOptions): Promise<void> {
  const { name, description, history, maxBytes = -1, ttlMs = 0 } = options;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  try {
    await manager.streams.add({
      name: `KV_${name}`,
      subjects: [`$KV.${name}.>`],
      description,
      max_bytes: maxBytes,
      max_age: nanos(ttlMs),
      storage: StorageType.File,
      persist_mode: PersistMode.Async,
      num_replicas: 1,
      max_msgs_per_subject: history,
      discard: DiscardPolicy.New,
      allow_rollup_hdrs: true,
      allow_direct: true,
    });
  } catch (error) {
    // Another process was faster, and made it with other settings, which cannot be changed.
    if (!(error instanceof JetStreamApiError && error.code === nameInUse)) throw error;
  }
}

const noStorage = 10_047;
const nameInUse = 10_058;
