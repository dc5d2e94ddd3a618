import { createHmac } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient, type MongoClientOptions, MongoServerError } from 'mongodb';
import { makePrivateFolder, writePrivateFile } from '../files/private-files.ts';
import { waitUntil } from '../wait-until.ts';
import { explainDamage, type ServerAccess, type ServerDefinition } from './server.ts';

/** By which the members of a replica set know each other; in the server's folder. */
export const KEY_FILE = 'key-file';
const REPLICA_SET = 'mneme';
const USER = 'mneme';
const USER_NOT_FOUND = 11;
const AUTHENTICATION_FAILED = 18;
const NOT_YET_INITIALIZED = 94;
const PRIMARY_TIMEOUT_MS = 30_000;
const damage = /\bWT_[A-Z]+: |data corruption|corruption detected|Fatal assertion/;

/** A replica set of one, because transactions need a replica set. */
export const mongodDefinition: ServerDefinition = {
  name: 'mongod',
  addressVariable: 'MONGODB_URL',
  secretName: 'mongod-password',
  stopTimeoutMs: 8_000,
  urlOf,
  settingsOf: (access) => ({ MONGODB_URL: urlOf(access) }),

  async launch({ folder, port, secret }) {
    const data = join(folder, 'data');
    await makePrivateFolder(data);
    const settings = ['--dbpath', data, '--bind_ip', '127.0.0.1', ...mongodArguments(port)];
    if (secret === undefined) return { arguments: settings };
    const keyFile = join(folder, KEY_FILE);
    await writePrivateFile(keyFile, clusterKey(secret));
    return { arguments: [...settings, '--auth', '--keyFile', keyFile] };
  },

  async prepare(access) {
    // As the server itself, which may do everything, also before there is a user.
    const system = access.secret === undefined ? {} : systemCredential(access.secret);
    await withAdmin(access.port, system, async (admin) => {
      await becomePrimary(admin, `127.0.0.1:${access.port}`);
      if (access.secret !== undefined) await ensureUser(admin, access.port, access.secret);
    });
  },

  explainFailure(log, folder) {
    const glibc = /version `GLIBC_([\d.]+)' not found/.exec(log)?.[1];
    if (glibc) {
      return (
        `mongod needs glibc ${glibc} or newer, which Debian 12 and Ubuntu 24.04 have: put a mongod that is built for ` +
        'this system on PATH, or use `docker compose up`.'
      );
    }
    const library = /error while loading shared libraries: ([^:\s]+)/.exec(log)?.[1];
    if (!library)
      return explainDamage(log, damage, {
        folder,
        kept: ', but not the use of API keys by the hour, nor the highest ids',
      });
    const fix = library.startsWith('libcurl')
      ? 'install libcurl4 (Debian, Ubuntu: apt-get install libcurl4)'
      : 'install it';
    return `mongod needs the system library ${library}: ${fix}, or use \`docker compose up\`.`;
  },
};

/** Direct: a client then talks to this address, whatever address the replica set's configuration holds at the moment. */
function urlOf({ port, secret }: ServerAccess): string {
  const credential = secret === undefined ? '' : `${USER}:${secret}@`;
  return `mongodb://${credential}127.0.0.1:${port}/?replicaSet=${REPLICA_SET}&directConnection=true`;
}

/**
 * By default mongod writes changed pages as soon as they take 2 to 5 % of its cache, the same ones again and again, and once
 * more at the checkpoint of each minute: half of its processor time while a large document is stored (decision 53). The
 * journal has the changes in any case. `deploy/mongodb/start.sh` has the same limits.
 */
const leaveChangesToCheckpoints = [
  ...['eviction_dirty_target=60', 'eviction_dirty_trigger=80'],
  ...['eviction_updates_target=50', 'eviction_updates_trigger=70'],
].join(',');

/**
 * Of the memory of the machine or container mongod takes a sixteenth for its cache, 0.5 to 2 GB. What does not fit is read and
 * written again and again (decision 54).
 */
function cacheGigabytes(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const share = Math.min(totalmem(), limit) / 16 / 2 ** 30;
  return Math.min(2, Math.max(0.5, Math.round(share * 10) / 10));
}

export function mongodArguments(port: number): string[] {
  return [
    ...['--port', String(port), '--replSet', REPLICA_SET, '--nounixsocket', '--quiet'],
    ...['--oplogSize', '256', '--wiredTigerCacheSizeGB', String(cacheGigabytes())],
    ...['--wiredTigerEngineConfigString', leaveChangesToCheckpoints],
    // A sample of a slow operation holds the texts that it reads or writes, and erasing does not reach the log.
    ...['--profile', '0', '--slowms', '2147483647', '--slowOpSampleRate', '0'],
    // The password is 32 random bytes, which no count of hash rounds makes harder to guess; this is the least allowed.
    ...['--setParameter', 'scramSHA256IterationCount=5000'],
    // What a service that stands still has begun would keep another one from its rows for a minute; as in deploy/mongodb/start.sh.
    ...['--setParameter', 'transactionLifetimeLimitSeconds=20'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // A primary would otherwise wait up to 15 s for clients to go to other members.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}

/** What the members of a replica set show each other: letters and digits, made of the password. */
function clusterKey(secret: string): string {
  return createHmac('sha256', secret).update('key file').digest('hex');
}

/** A member of the replica set may log in as the user `__system` by the key file. @param secret the server's password */
export function systemCredential(secret: string): MongoClientOptions {
  const auth = { username: '__system', password: clusterKey(secret) };
  return { auth, authSource: 'local', authMechanism: 'SCRAM-SHA-256' };
}

async function withAdmin(port: number, options: MongoClientOptions, use: (admin: Db) => Promise<void>): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
    ...options,
  });
  try {
    await use(client.db('admin'));
  } finally {
    await client.close();
  }
}

/** Makes the user of the services; data of an earlier release has none, and a lost password has been made anew. */
async function ensureUser(admin: Db, port: number, secret: string): Promise<void> {
  try {
    const auth = { username: USER, password: secret };
    await withAdmin(port, { auth }, async (own) => void (await own.command({ ping: 1 })));
  } catch (error) {
    if (!isCode(error, AUTHENTICATION_FAILED)) throw error;
    const rights = { pwd: secret, roles: ['root'], mechanisms: ['SCRAM-SHA-256'] };
    await admin.command({ updateUser: USER, ...rights }).catch(async (refusal) => {
      if (!isCode(refusal, USER_NOT_FOUND)) throw refusal;
      await admin.command({ createUser: USER, ...rights });
    });
  }
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}

/** Makes the server, new or on another port than the last time, the primary of its replica set of one. */
async function becomePrimary(admin: Db, host: string): Promise<void> {
  const member = { _id: 0, host };
  const config = await replicaSetConfig(admin);
  if (!config) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [member] } });
  } else if (config.members.length !== 1 || config.members[0]?.host !== host) {
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], ...member }] };
    // By force: a member that does not find itself in the configuration can't be a primary that agrees to it.
    await admin.command({ replSetReconfig: moved, force: true });
  }
  await waitUntil(async () => (await admin.command({ hello: 1 })).isWritablePrimary === true, PRIMARY_TIMEOUT_MS);
}

interface ReplicaSetConfig {
  version: number;
  members: { _id: number; host: string }[];
}

async function replicaSetConfig(admin: Db): Promise<ReplicaSetConfig | undefined> {
  try {
    return (await admin.command({ replSetGetConfig: 1 })).config as ReplicaSetConfig;
  } catch (error) {
    if (isCode(error, NOT_YET_INITIALIZED)) return undefined;
    throw error;
  }
}
