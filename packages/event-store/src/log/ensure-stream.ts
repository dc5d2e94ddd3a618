import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  StoreCompression,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { StreamUnfitError } from '../errors.ts';
import { untilMade } from './until-made.ts';

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  /** How many servers keep the stream: 1, 3 or 5. A stream that more of them keep stays as it is. */
  readonly replicas: number;
}

/** What this package relies on; everything else about a stream is left as it stands. */
function wantedConfig(options: StreamOptions, existing?: StreamConfig) {
  return {
    subjects: [...options.subjects],
    // A process that was started without the setting must not take copies of the log away.
    num_replicas: Math.max(options.replicas, existing?.num_replicas ?? 1),
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
 */
export async function ensureStream(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const { name: stream, replicas } = options;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await untilMade({ connection, stream, replicas }, async () => {
    const existing = (await configOf(manager, stream)) ?? (await make(manager, options));
    assertKeepsEverything(existing);
    const wanted = wantedConfig(options, existing);
    if (differs(existing, wanted)) await manager.streams.update(stream, { ...existing, ...wanted });
  });
}

/** Whether a stream of that name is there. */
export async function streamExists(connection: NatsConnection, name: string): Promise<boolean> {
  return (await configOf(await jetstreamManager(connection, { checkAPI: false }), name)) !== undefined;
}

async function make(manager: JetStreamManager, options: StreamOptions): Promise<StreamConfig> {
  const fixed = { name: options.name, storage: StorageType.File, retention: RetentionPolicy.Limits };
  try {
    return (await manager.streams.add({ ...fixed, ...wantedConfig(options) })).config;
  } catch (error) {
    // Another instance was faster; what it made is checked like any other existing stream.
    const made = await configOf(manager, options.name);
    if (!made) throw error;
    return made;
  }
}

async function configOf(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
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
