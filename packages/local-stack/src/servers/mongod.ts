import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import type { ServerDefinition } from '../server.ts';
import { waitUntil } from '../wait-until.ts';

const REPLICA_SET = 'mneme';
const NOT_YET_INITIALIZED = 94;
const PRIMARY_TIMEOUT_MS = 30_000;

/** A replica set of one, because transactions need a replica set. */
export const mongodDefinition: ServerDefinition = {
  name: 'mongod',
  addressVariable: 'MONGODB_URL',
  stopTimeoutMs: 8_000,
  // Direct: a client then talks to this address, whatever address the replica set's configuration holds at the moment.
  urlOf: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}&directConnection=true`,

  async launch({ folder, port }) {
    const data = join(folder, 'data');
    await mkdir(data, { recursive: true });
    return { arguments: ['--dbpath', data, '--bind_ip', '127.0.0.1', ...mongodArguments(port)] };
  },

  async prepare(port) {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 5_000,
    });
    try {
      await becomePrimary(client.db('admin'), `127.0.0.1:${port}`);
    } finally {
      await client.close();
    }
  },

  explainFailure(log) {
    const library = /error while loading shared libraries: ([^:\s]+)/.exec(log)?.[1];
    if (!library) return undefined;
    const fix = library.startsWith('libcurl')
      ? 'install libcurl4 (Debian, Ubuntu: apt-get install libcurl4)'
      : 'install it';
    return `mongod needs the system library ${library}: ${fix}, or use \`docker compose up\`.`;
  },
};

export function mongodArguments(port: number): string[] {
  return [
    ...['--port', String(port), '--replSet', REPLICA_SET, '--nounixsocket', '--quiet'],
    ...['--oplogSize', '256', '--wiredTigerCacheSizeGB', '0.5'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // A primary would otherwise wait up to 15 s for clients to go to other members.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
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
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}
