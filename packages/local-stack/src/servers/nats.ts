import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type JetStreamAccountStats, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { makePrivateFolder, writePrivateFile } from '../files/private-files.ts';
import type { LaunchSettings, ServerAccess, ServerDefinition } from './server.ts';

/** Replies and events may be this large; the server's own default of 1 MiB is less than one document may have. */
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
/**
 * What all KV buckets may take together, with the usual settings, in bytes. The server reserves it: it makes no bucket whose
 * limit, with those of the others, is above what it may store. `tests/start/running.test.ts` compares it with the buckets.
 */
export const BUCKETS_BYTES: number = 1.25 * 1024 ** 3;
const USER = 'mneme';
const CONFIGURATION_FILE = 'nats-server.conf';
/** Written at a stop and removed at a start, so that what it says is never out of date. */
const COUNTED_FILE = 'counted.json';
/** Within the time that a stop may take. */
const COUNT_TIMEOUT_MS = 1_000;

export const natsDefinition: ServerDefinition = {
  name: 'nats',
  addressVariable: 'NATS_URL',
  secretName: 'nats-password',
  stopTimeoutMs: 5_000,
  urlOf,
  settingsOf: (access) => ({ NATS_URL: urlOf(access) }),

  async launch(settings) {
    const { folder } = settings;
    const file = join(folder, CONFIGURATION_FILE);
    await makePrivateFolder(folder);
    const maxStoreBytes = settings.maxStoreBytes ?? (await mostOf(folder));
    await writePrivateFile(file, natsConfiguration({ ...settings, host: '127.0.0.1', maxStoreBytes }));
    await rm(join(folder, COUNTED_FILE), { force: true });
    return { arguments: ['-c', file] };
  },

  async prepare(access) {
    await askAccount(access, 2_000);
  },

  async beforeStop(access, folder) {
    const { storage, reserved_storage } = await askAccount(access, COUNT_TIMEOUT_MS);
    const limitBytes = await configuredMaxStoreBytes(folder);
    const counted: Counted = { storedBytes: storage, reservedBytes: reserved_storage, limitBytes };
    await writePrivateFile(join(folder, COUNTED_FILE), JSON.stringify(counted));
  },
};

async function askAccount({ port, secret }: ServerAccess, timeoutMs: number): Promise<JetStreamAccountStats> {
  const credential = secret === undefined ? {} : { user: USER, pass: secret };
  const servers = `127.0.0.1:${port}`;
  const connection = await connect({ servers, reconnect: false, timeout: timeoutMs, ...credential });
  try {
    return await (await jetstreamManager(connection, { timeout: timeoutMs })).getAccountInfo();
  } finally {
    await connection.close();
  }
}

function urlOf({ port, secret }: ServerAccess): string {
  return secret === undefined ? `nats://127.0.0.1:${port}` : `nats://${USER}:${secret}@127.0.0.1:${port}`;
}

async function mostOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  const formerBytes = await configuredMaxStoreBytes(folder);
  const counted = await countedIn(folder);
  // An earlier release, which knows nothing of the file, may have run since.
  const atLeast = counted && counted.limitBytes === formerBytes ? { counted } : { formerBytes };
  return maxStoreBytes({ fileBytes: await sizeOf(join(folder, 'store')), freeBytes: bavail * bsize, ...atLeast });
}

/** What the server counts against its limit, in bytes: messages as they were before it compressed them. */
interface Counted {
  readonly storedBytes: number;
  /** What buckets may take. */
  readonly reservedBytes: number;
  /** What it might store. */
  readonly limitBytes: number | undefined;
}

/** What is known of a server that is about to start, in bytes. */
export interface StoreState {
  /** How large its files are. */
  readonly fileBytes: number;
  readonly freeBytes: number;
  /** As of its last stop. */
  readonly counted?: Omit<Counted, 'limitBytes'>;
  /** What it might store before, for when it was not stopped in an orderly way: it cannot count more. */
  readonly formerBytes?: number | undefined;
}

/**
 * What is stored, and three quarters of the space that is free, in bytes: after a full disk the server would refuse what is
 * new until it is restarted. Never less than the server counts, since it would take no event at all. On a small disk still
 * as much as buckets reserve, without which nothing starts.
 */
export function maxStoreBytes({ fileBytes, freeBytes, counted, formerBytes = 0 }: StoreState): number {
  const { storedBytes, reservedBytes } = counted ?? { storedBytes: 0, reservedBytes: 0 };
  const newBytes = Math.floor(freeBytes * 0.75);
  return Math.max(BUCKETS_BYTES, reservedBytes, formerBytes, Math.max(fileBytes, storedBytes) + newBytes);
}

/** What the server counted when it was stopped; undefined when it was killed, or an earlier release stopped it. */
function countedIn(folder: string): Promise<Counted | undefined> {
  return readFile(join(folder, COUNTED_FILE), 'utf8')
    .then((text): Counted => JSON.parse(text))
    .catch(() => undefined);
}

/**
 * How much the server in a folder may store by its configuration, in bytes.
 * @param folder that of the server
 * @returns undefined when there is no configuration yet
 */
export async function configuredMaxStoreBytes(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, CONFIGURATION_FILE), 'utf8').catch(() => '');
  const [, bytes] = /^ *max_file_store: (\d+)$/m.exec(text) ?? [];
  return bytes === undefined ? undefined : Number(bytes);
}

/** The bytes of all files in a folder; 0 when there is none. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const { size } = entry.isFile() ? await stat(join(entry.parentPath, entry.name)) : { size: 0 };
    bytes += size;
  }
  return bytes;
}

/**
 * By default the server acknowledges before it has synced, every two minutes: after a loss of power the log could be
 * behind the read models that were made from it, and new events would take numbers that projections have passed.
 * So where data is kept, it syncs every message (0.13 → 0.45 ms each); where data is thrown away, it does not.
 *
 * Without `maxStoreBytes` a start takes three quarters of the space that is free then, without what the server has stored
 * already.
 */
export function natsConfiguration({
  host,
  port,
  secret,
  folder,
  durability,
  maxStoreBytes,
}: LaunchSettings & { host: string }): string {
  return [
    'server_name: mneme-local',
    `host: ${host}`,
    `port: ${port}`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    // A service that stands still would get its share of requests for four minutes by default; as in deploy/nats/nats.conf.
    'ping_interval: "5s"',
    'ping_max: 2',
    ...(secret === undefined ? [] : [`authorization { user: ${USER}, password: ${JSON.stringify(secret)} }`]),
    'jetstream {',
    `  store_dir: ${JSON.stringify(join(folder, 'store'))}`,
    ...(maxStoreBytes === undefined ? [] : [`  max_file_store: ${maxStoreBytes}`]),
    ...(durability === 'disk' ? ['  sync_interval: always'] : []),
    '}',
    '',
  ].join('\n');
}
