import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createNpmRegistry, type FileLock, tryLock } from '@mneme/downloads';
import { findBinaries } from '../binaries/find-binaries.ts';
import { pinnedBinaries } from '../binaries/pinned.ts';
import { DataFolderInUseError } from '../errors.ts';
import { boundLogs } from '../files/bound-logs.ts';
import { localSecret } from '../files/local-secret.ts';
import { closeDataFolder, namingFile } from '../files/private-files.ts';
import type { OnProgress } from '../progress.ts';
import { bringBack } from '../servers/keep-running.ts';
import { LocalServer } from '../servers/local-server.ts';
import { KEY_FILE, mongodDefinition } from '../servers/mongod.ts';
import { natsDefinition } from '../servers/nats.ts';
import { qdrantDefinition } from '../servers/qdrant.ts';
import {
  createExternalServer,
  type Durability,
  type Server,
  type ServerDefinition,
  type ServerName,
} from '../servers/server.ts';
import { ALL_SERVERS, createStack, type Stack } from './stack.ts';

export interface StartStackOptions {
  /** Where the servers keep their data and their logs; made when it is missing. */
  dataDir: string;
  /** All three unless told otherwise. */
  servers?: readonly ServerName[];
  /** What an acknowledged NATS message survives: a loss of power (`disk`, the default) or a kill (`process`). */
  durability?: Durability;
  /** Starts a server again that ended unexpectedly. Off unless asked for. */
  keepRunning?: boolean;
  /** `required` (the default): the servers ask for credentials, which are made at the first start and kept there. */
  authentication?: 'required' | 'none';
  /** How much NATS may store, in bytes; what is stored and three quarters of the free space unless given. */
  natsMaxStoreBytes?: number | undefined;
  /** Called when the data folder is held, before anything is fetched or started; the start fails with its error. */
  onFolderHeld?: () => Promise<void>;
  onProgress?: OnProgress;
  /** `process.env` unless given: addresses and binaries to use, PATH, and where the cache is. */
  environment?: NodeJS.ProcessEnv;
}

const LOG_FOLDER = 'logs';

const definitions: Readonly<Record<ServerName, ServerDefinition>> = {
  nats: natsDefinition,
  mongod: mongodDefinition,
  qdrant: qdrantDefinition,
};

/**
 * Starts real servers as child processes on 127.0.0.1 and resolves when all of them answer.
 * They end with this process, even when it is killed. A server whose address is in the environment
 * (NATS_URL, MONGODB_URL, QDRANT_URL) is used where it is.
 *
 * @throws DataFolderInUseError, BinaryUnavailableError, ServerStartError; then nothing is left running
 */
export async function startStack(options: StartStackOptions): Promise<Stack> {
  const dataDir = resolve(options.dataDir);
  await closeDataFolder(dataDir, [...ALL_SERVERS, LOG_FOLDER]);
  const lock = await lockFolder(dataDir);
  const stopping = new AbortController();
  const servers: Server[] = [];
  const names = options.servers ?? ALL_SERVERS;
  const unboundLogs = boundLogs(names.map((name) => ({ file: logFileOf(dataDir, name) })));
  const afterStop = () => {
    unboundLogs();
    lock.release();
  };
  const stack = createStack(servers, { beforeStop: () => stopping.abort(), afterStop });
  try {
    await options.onFolderHeld?.();
    const binaries = await localBinaries(names, options);
    for (const name of names) {
      servers.push(await createServer(name, { ...options, dataDir, binary: binaries.get(name) }, stopping.signal));
    }
    await startAll(servers, options.onProgress);
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function lockFolder(dataDir: string): Promise<FileLock> {
  const holderFile = join(dataDir, 'stack.pid');
  const lock = tryLock(join(dataDir, 'stack.lock'));
  if (!lock) {
    const holder = await readFile(holderFile, 'utf8').catch(() => 'unknown');
    throw new DataFolderInUseError(
      `The data folder ${dataDir} is in use by another process (${holder.trim()}). Stop that, or set another DATA_DIR.`,
    );
  }
  try {
    await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    lock.release();
    throw namingFile(error, holderFile);
  }
  return lock;
}

/** Paths of the binaries of servers whose address is not in the environment. */
function localBinaries(names: readonly ServerName[], { environment = process.env, onProgress }: StartStackOptions) {
  const binaries = names.map((name) => pinnedBinaries[name]).filter((binary) => !environment[binary.addressVariable]);
  const registry = createNpmRegistry(environment);
  return findBinaries(binaries, { environment, registry, onProgress: onProgress ?? (() => {}) });
}

async function createServer(
  name: ServerName,
  options: StartStackOptions & { binary: string | undefined },
  stopping: AbortSignal,
): Promise<Server> {
  const { environment = process.env, onProgress = () => {}, binary, dataDir } = options;
  const definition = definitions[name];
  const address = environment[definition.addressVariable];
  if (address) return createExternalServer(name, definition.addressVariable, address);
  if (binary === undefined) throw new Error(`No binary of ${name} was looked for.`);

  const isGuarded = options.authentication !== 'none';
  const server: LocalServer = new LocalServer({
    definition,
    binary,
    folder: join(dataDir, name),
    logFile: await newLog(dataDir, name),
    durability: options.durability ?? 'disk',
    secret: isGuarded ? localSecret(dataDir, definition.secretName) : undefined,
    maxStoreBytes: options.natsMaxStoreBytes,
    environment,
    onStopForced: (timeoutMs) => onProgress({ kind: 'stop-forced', server: name, timeoutMs }),
    onExit: (exit) => {
      onProgress({ kind: 'exited', ...exit });
      if (options.keepRunning) void bringBack(server, { onProgress, signal: stopping });
    },
  });
  return server;
}

function logFileOf(dataDir: string, name: ServerName): string {
  return join(dataDir, LOG_FOLDER, `${name}.log`);
}

/** Puts the log of the last start aside. That of an earlier release may hold texts of users and is removed. */
async function newLog(dataDir: string, name: ServerName): Promise<string> {
  const file = logFileOf(dataDir, name);
  const earlier = `${file}.1`;
  await rename(file, earlier).catch(() => {});
  if (name === 'mongod' && !existsSync(join(dataDir, name, KEY_FILE))) await rm(earlier, { force: true });
  return file;
}

/** Side by side, and none is left half started when another fails. */
async function startAll(servers: readonly Server[], onProgress: OnProgress = () => {}): Promise<void> {
  const started = await Promise.allSettled(
    servers.map(async (server) => {
      const begin = performance.now();
      await server.start();
      const tookMs = Math.round(performance.now() - begin);
      onProgress({ kind: 'ready', server: server.name, url: withoutCredential(server), tookMs });
    }),
  );
  const failed = started.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * An address for people. Those of NATS may be several, each with a credential and with or without a scheme; others have one
 * credential, which may hold commas.
 */
function withoutCredential({ name, url }: Pick<Server, 'name' | 'url'>): string {
  if (name === 'nats') return url.replaceAll(/(?<=^|,)(\s*\w[\w+]*:\/\/)?[^,]*@/g, '$1');
  return url.replace(/\/\/[^@/?]*@/, '//');
}
