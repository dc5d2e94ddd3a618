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
import { untilMade } from './until-made.ts';

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  /** How many servers keep the stream: 1, 3 or 5. */
  readonly replicas: number;
}

/** What this package relies on; everything else about a stream is left as it stands. */
function wantedConfig(options: StreamOptions) {
  return {
    subjects: [...options.subjects],
    num_replicas: options.replicas,
    discard: DiscardPolicy.New,
    allow_direct: true,
    allow_atomic: true,
    compression: StoreCompression.S2,
  };
}

/**
 * Makes a stream, or brings the settings of an existing one up to date; does nothing when they are. Messages are never lost
 * by it. A replicated stream can be read afterwards.
 * @throws Error when a stream of that name exists that drops messages or keeps them in memory, which no update can change.
 */
export async function ensureStream(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const { name: stream, replicas } = options;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await untilMade({ connection, stream, replicas }, async () => {
    const existing = (await configOf(manager, stream)) ?? (await make(manager, options));
    assertKeepsEverything(existing);
    const wanted = wantedConfig(options);
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
  if (config.storage === StorageType.File && config.retention === RetentionPolicy.Limits) return;
  const found = `${config.storage} storage, ${config.retention} retention`;
  throw new Error(`The stream ${config.name} cannot be an event log: it has ${found}`);
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
