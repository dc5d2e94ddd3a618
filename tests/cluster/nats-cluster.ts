import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort, type Server } from '@mneme/local-stack';
import { natsDefinition, type ServerDefinition } from '@mneme/local-stack/testing';
import { natsAddress } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { CreateServer } from './create-server.ts';

/** A member of the cluster, by the name that it has there. */
export interface NatsMember {
  readonly name: string;
  readonly server: Server;
}

/** The configuration that the overlay `cluster` deploys. */
const deployed = new URL('../../deploy/kubernetes/overlays/cluster/nats.conf', import.meta.url);

/** Starts the three servers of a NATS cluster, which ask for a password. */
export async function startNatsCluster(secret: string, create: CreateServer): Promise<readonly NatsMember[]> {
  const names = ['nats-0', 'nats-1', 'nats-2'];
  const routePorts = [await findFreePort(), await findFreePort(), await findFreePort()];
  const routes = `[${routePorts.map((port) => `nats://peers:${secret}@127.0.0.1:${port}`).join(', ')}]`;
  const members = await Promise.all(
    names.map(async (name, index) => {
      const environment = {
        POD_NAME: name,
        NATS_PASSWORD: secret,
        NATS_ROUTES: routes,
        NATS_MAX_FILE_STORE: '10GiB',
      };
      const definition = memberDefinition(routePorts[index] as number, environment);
      return { name, server: await create({ name, definition, secret }) };
    }),
  );
  await Promise.all(members.map(({ server }) => server.start()));
  return members;
}

function memberDefinition(routePort: number, environment: Readonly<Record<string, string>>): ServerDefinition {
  return {
    ...natsDefinition,
    launch: async ({ folder, port }) => {
      const file = join(folder, 'nats.conf');
      await mkdir(folder, { recursive: true });
      await writeFile(file, onThisMachine(await readFile(deployed, 'utf8'), { folder, port, routePort }));
      return { arguments: ['-c', file], environment };
    },
  };
}

/** Beside others on one machine, a server needs ports and a folder of its own. */
function onThisMachine(
  text: string,
  { folder, port, routePort }: { readonly folder: string; readonly port: number; readonly routePort: number },
): string {
  const replaced = text
    .replace('http_port: 8222', `host: 127.0.0.1\nport: ${port}`)
    .replace('port: 6222', `host: 127.0.0.1\n  port: ${routePort}`)
    .replace('store_dir: /data', `store_dir: ${JSON.stringify(join(folder, 'store'))}`);
  if (/8222|6222|\/data$/m.test(replaced)) throw new Error(`The configuration has changed: ${text}`);
  return replaced;
}

/** What the servers of a cluster say of a JetStream stream. */
export interface StreamCluster {
  /** The name of the server that leads it. */
  readonly leader: string;
  /** Whether all servers that keep it run and have all of it. */
  readonly isWhole: boolean;
}

/** Looks at the stream, of which all servers but its leader are replicas. */
export async function streamCluster(natsUrl: string, stream: string): Promise<StreamCluster> {
  const connection = await connect({ ...natsAddress(natsUrl), timeout: 2_000 });
  try {
    const { cluster } = await (await jetstreamManager(connection, { checkAPI: false })).streams.info(stream);
    const { leader = '', replicas = [] } = cluster ?? {};
    return { leader, isWhole: replicas.length === 2 && replicas.every(({ current, offline }) => current && !offline) };
  } finally {
    await connection.close();
  }
}
