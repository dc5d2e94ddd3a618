import { DiscardPolicy, JetStreamApiError, jetstreamManager, PersistMode, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { untilMade } from '../log/until-made.ts';

/** How a NATS KV bucket is made. */
export interface BucketOptions {
  readonly name: string;
  readonly description: string;
  /** How many values of each key are kept. */
  readonly history: number;
  readonly replicas: number;
  /**
   * `async`: acknowledged before it is written to the file, some milliseconds later, and not synced to the disk, where
   * one server keeps it. For what may go back by as much when that server is killed, and is written far too often to be
   * synced each time.
   */
  readonly persistMode?: 'async';
  /** How many bytes it may take; a write that would make it larger is refused. The server sets them aside. No bound unless given. */
  readonly maxBytes?: number;
  /** Whether a larger bound, which an operator has given it, stays. */
  readonly keepsLarger?: boolean;
  /** How long a value is kept, in milliseconds; for ever unless given. */
  readonly ttlMs?: number;
}

/** Makes a bucket unless it is there, sees to its bound, and opens it; reads ask any server that has it. */
export function makeBucket(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  const { name, replicas } = options;
  return untilMade({ connection, stream: `KV_${name}`, replicas }, () => makeOnce(connection, options));
}

async function makeOnce(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  const { name, description, history, replicas, persistMode, maxBytes = -1, ttlMs } = options;
  // Replicated streams know no other way of writing than this one; there, the others have it when a server is killed.
  if (persistMode === 'async' && replicas === 1) await addAsync(connection, options);
  const bucket = await new Kvm(connection).create(name, {
    description,
    history,
    replicas,
    max_bytes: maxBytes,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
  });
  if (options.maxBytes !== undefined) await bound(connection, name, options.maxBytes, options.keepsLarger);
  return bucket;
}

/** A bucket from before it had this bound gets it. */
async function bound(connection: NatsConnection, name: string, maxBytes: number, keepsLarger = false): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const { config } = await manager.streams.info(`KV_${name}`);
  if (keepsLarger && config.max_bytes > maxBytes) return;
  if (config.max_bytes !== maxBytes) await manager.streams.update(config.name, { max_bytes: maxBytes });
}

/** Makes a bucket unless it is there, and opens it for reads that ask the leader. */
export async function openBucket(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  await makeBucket(connection, options);
  return new Kvm(connection).open(options.name, { allow_direct: false });
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
    // It was made with other settings, which cannot be changed.
    if (!(error instanceof JetStreamApiError && error.code === nameInUse)) throw error;
  }
}

const nameInUse = 10_058;
