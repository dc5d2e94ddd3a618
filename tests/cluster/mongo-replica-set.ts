import type { Server } from '@mneme/local-stack';
import { mongodDefinition, type ServerDefinition, systemCredential } from '@mneme/local-stack/testing';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { eventually } from '../system/eventually.ts';
import type { CreateServer } from './create-server.ts';

const setName = 'mneme';
const user = 'mneme';
/** Those that `deploy/mongodb/setup.js` gives the services. */
const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor'];
/** The first election takes about ten seconds. */
const electionMs = 60_000;

/** One member at first is no set of one: it waits to be told who the others are. */
export const memberDefinition: ServerDefinition = {
  ...mongodDefinition,
  prepare: async ({ port }) => void (await withAdmin(`127.0.0.1:${port}`, { directConnection: true }, hello)),
};

/** Starts the three members of a replica set, which know each other by a key file, with the user of the services. */
export async function startReplicaSet(secret: string, create: CreateServer): Promise<readonly Server[]> {
  const names = ['mongod-0', 'mongod-1', 'mongod-2'];
  const servers = await Promise.all(names.map((name) => create({ name, definition: memberDefinition, secret })));
  await Promise.all(servers.map((server) => server.start()));
  const hosts = servers.map(hostOf);
  const members = hosts.map((host, _id) => ({ _id, host }));
  const system = systemCredential(secret);
  await withAdmin(hosts[0] as string, { ...system, directConnection: true }, async (admin) => {
    await admin.command({ replSetInitiate: { _id: setName, members } });
  });
  await primaryOf(servers);
  // A client that was made before there is a primary would stay closed.
  await withAdmin(hosts.join(), { ...system, replicaSet: setName }, (admin) =>
    admin.command({ createUser: user, pwd: secret, roles, mechanisms: ['SCRAM-SHA-256'] }),
  );
  return servers;
}

/** The address of the set, with all its members. */
export function replicaSetUrl(servers: readonly Server[], secret: string): string {
  return `mongodb://${user}:${secret}@${servers.map(hostOf).join()}/?replicaSet=${setName}`;
}

/** The member that takes writes. */
export async function primaryOf(servers: readonly Server[]): Promise<Server> {
  const find = async () => {
    for (const server of servers) {
      if (server.pid !== undefined && (await helloOf(server)).isWritablePrimary === true) return server;
    }
    return undefined;
  };
  return eventually('there is a primary', find, electionMs);
}

/** Whether a member that was started again follows the primary. */
export async function isSecondary(server: Server): Promise<boolean> {
  return (await helloOf(server)).secondary === true;
}

interface Hello {
  readonly isWritablePrimary?: boolean;
  readonly secondary?: boolean;
}

function helloOf(server: Server): Promise<Hello> {
  return withAdmin(hostOf(server), { directConnection: true }, hello);
}

async function hello(admin: Db): Promise<Hello> {
  return admin.command({ hello: 1 });
}

function hostOf({ url }: Server): string {
  return /127\.0\.0\.1:\d+/.exec(url)?.[0] ?? '';
}

async function withAdmin<T>(hosts: string, options: MongoClientOptions, use: (admin: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://${hosts}/`, { serverSelectionTimeoutMS: 5_000, ...options });
  try {
    return await use(client.db('admin'));
  } finally {
    await client.close();
  }
}
