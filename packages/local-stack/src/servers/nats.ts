import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
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

export const natsDefinition: ServerDefinition = {
  name: 'nats',
  addressVariable: 'NATS_URL',
  secretName: 'nats-password',
  stopTimeoutMs: 5_000,
  urlOf,
  settingsOf: (access) => ({ NATS_URL: urlOf(access) }),

  async launch(settings) {
    const file = join(settings.folder, 'nats-server.conf');
    await makePrivateFolder(settings.folder);
    const maxStoreBytes = await mostOf(settings.folder);
    await writePrivateFile(file, natsConfiguration({ ...settings, host: '127.0.0.1', maxStoreBytes }));
    return { arguments: ['-c', file] };
  },

  async prepare({ port, secret }) {
    const credential = secret === undefined ? {} : { user: USER, pass: secret };
    const connection = await connect({ servers: `127.0.0.1:${port}`, reconnect: false, timeout: 2_000, ...credential });
    try {
      await (await jetstreamManager(connection, { timeout: 2_000 })).getAccountInfo();
    } finally {
      await connection.close();
    }
  },
};

function urlOf({ port, secret }: ServerAccess): string {
  return secret === undefined ? `nats://127.0.0.1:${port}` : `nats://${USER}:${secret}@127.0.0.1:${port}`;
}

async function mostOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return maxStoreBytes(await sizeOf(join(folder, 'store')), bavail * bsize);
}

/**
 * What is stored, and three quarters of the space that is free, in bytes: after a full disk the server would refuse what is
 * new until it is restarted. On a small disk still as much as buckets reserve, without which nothing starts.
 */
export function maxStoreBytes(storedBytes: number, freeBytes: number): number {
  return Math.max(BUCKETS_BYTES, storedBytes + Math.floor(freeBytes * 0.75));
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
 * By default a start takes three quarters of the space that is free then, without what the server has stored already.
 * @param maxStoreBytes how large streams and buckets may become
 */
export function natsConfiguration({
  host,
  port,
  secret,
  folder,
  durability,
  maxStoreBytes,
}: LaunchSettings & { host: string; maxStoreBytes?: number }): string {
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
