import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  StoreCompression,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { NoClusterError, StreamUnfitError } from '../errors.ts';
import { isStreamMissing } from './log.ts';
import { makeAndAwaitLeader } from './make-and-await-leader.ts';

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  /** How many servers keep the stream: 1, 3 or 5. A stream that more of them keep stays as it is. */
  readonly replicas: number;
}

/** What this package relies on; everything else about a stream is left as it stands. */
function wantedConfig(options: StreamOptions, existing?: StreamInfo) {
  return {
    subjects: [...options.subjects],
    num_replicas: existing ? wantedReplicas(existing, options.replicas) : options.replicas,
    discard: DiscardPolicy.New,
    allow_direct: true,
    allow_atomic: true,
    compression: StoreCompression.S2,
  };
}

/**
 * Makes a stream, or brings the settings of an existing one up to date; does nothing when they are. Messages are never lost
 * by it. A replicated stream can be read afterwards.
 * @throws StreamUnfitError when a stream of that name exists that drops messages or keeps them in memory
 * @throws NoClusterError when several servers are to keep it, and there is one
 */
export async function ensureStream(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const { name: stream, replicas } = options;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await makeAndAwaitLeader({ connection, stream, replicas }, async () => {
    const existing = (await infoOf(manager, stream)) ?? (await make(manager, options));
    const { config } = existing;
    assertKeepsEverything(config);
    const wanted = wantedConfig(options, existing);
    if (wanted.num_replicas > config.num_replicas) await assertCluster(manager, config, wanted.num_replicas);
    if (differs(config, wanted)) await manager.streams.update(stream, { ...config, ...wanted });
  });
}

/** What a stream is, which may be that of a bucket; undefined when there is none of that name. */
export async function streamInfo(connection: NatsConnection, name: string): Promise<StreamInfo | undefined> {
  return infoOf(await jetstreamManager(connection, { checkAPI: false }), name);
}

/** Whether a stream of that name is there. */
export async function streamExists(connection: NatsConnection, name: string): Promise<boolean> {
  return (await streamInfo(connection, name)) !== undefined;
}

/**
 * How many servers are to keep a stream, which may be that of a bucket.
 * @param replicas how many are asked for
 * @throws NoClusterError when that is more than one, and the server belongs to no cluster: it would accept that, and could
 * not read the stream any more after its next restart
 */
export function wantedReplicas({ config, cluster }: StreamInfo, replicas: number): number {
  // A process that was started without the setting must not take copies away.
  if (cluster?.name !== undefined) return Math.max(replicas, config.num_replicas);
  if (replicas > 1) throw new NoClusterError(replicas);
  return 1;
}

/**
 * Asks the server itself before a stream gets more copies: one that has a cluster's name, or is a leaf node, may be alone all the
 * same. It is asked to add the stream with them, which a server in a cluster refuses because the stream is there.
 * @throws NoClusterError when it is alone
 */
export async function assertCluster(manager: JetStreamManager, config: StreamConfig, replicas: number): Promise<void> {
  try {
    await manager.streams.add({ ...config, num_replicas: replicas });
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === nameInUse)) throw explainRefusal(error, replicas);
  }
}

/** What is thrown when a stream cannot be made, which may be that of a bucket. */
export function explainRefusal(error: unknown, replicas: number): unknown {
  const isAlone = error instanceof JetStreamApiError && error.code === replicasWithoutCluster;
  return isAlone ? new NoClusterError(replicas, { cause: error }) : error;
}

/**
 * Whether a stream that was made just now took over the files of one that the server could not read, with their messages. Its
 * former settings are still in them, and keep it from being read after the next restart, until it is updated.
 */
export function isRecovered({ state }: StreamInfo): boolean {
  return state.last_seq > 0;
}

async function make(manager: JetStreamManager, options: StreamOptions): Promise<StreamInfo> {
  const fixed = { name: options.name, storage: StorageType.File, retention: RetentionPolicy.Limits };
  try {
    const made = await manager.streams.add({ ...fixed, ...wantedConfig(options) });
    return isRecovered(made) ? await manager.streams.update(options.name, made.config) : made;
  } catch (error) {
    // Another instance was faster; what it made is checked like any other existing stream.
    const made = await infoOf(manager, options.name);
    if (!made) throw explainRefusal(error, options.replicas);
    return made;
  }
}

async function infoOf(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isStreamMissing(error)) return undefined;
    throw error;
  }
}

function assertKeepsEverything(config: StreamConfig): void {
  const { name, storage, retention, max_age, max_msgs_per_subject, discard_new_per_subject } = config;
  const unfit = (found: string, repair: string) =>
    new StreamUnfitError(`The stream ${name} cannot be an event log: it has ${found}. ${repair}`);
  if (storage !== StorageType.File || retention !== RetentionPolicy.Limits) {
    const repair = 'That cannot be changed. Back the stream up, and restore it with file storage and limits retention';
    throw unfit(`${storage} storage, ${retention} retention`, repair);
  }
  const repair = (option: string) => `Lift the limit: nats stream edit ${name} ${option}`;
  if (max_age > 0) throw unfit('a maximum age', repair('--max-age=0'));
  if (max_msgs_per_subject > 0 && !discard_new_per_subject)
    throw unfit(`at most ${max_msgs_per_subject} messages per subject`, repair('--max-msgs-per-subject=-1'));
}

function differs(existing: StreamConfig, wanted: ReturnType<typeof wantedConfig>): boolean {
  const current = { ...existing, subjects: [...existing.subjects].sort() };
  const target = { ...wanted, subjects: [...wanted.subjects].sort() };
  return Object.entries(target).some(
    ([key, value]) => JSON.stringify(current[key as keyof StreamConfig]) !== JSON.stringify(value),
  );
}

/** How many servers keep a stream. */
export async function replicasOf(connection: NatsConnection, stream: string): Promise<number> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  return (await manager.streams.info(stream)).config.num_replicas;
}

const replicasWithoutCluster = 10_074;
const nameInUse = 10_058;
