import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, type Server } from '@mneme/local-stack';
import { createTestServer, natsDefinition } from '@mneme/local-stack/testing';

export interface NatsCluster extends AsyncDisposable {
  /** The addresses of its servers, as `connect` takes them. */
  readonly urls: string[];
  /** The servers by the names that they have in the cluster. */
  readonly servers: ReadonlyMap<string, Server>;
}

/** Starts three NATS servers that keep replicated streams together. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  const routePorts = [await findFreePort(), await findFreePort(), await findFreePort()];
  const servers = await Promise.all(
    routePorts.map((routePort, index) =>
      createTestServer({
        folder: join(folder, `nats-${index}`),
        definition: {
          ...natsDefinition,
          launch: async (settings) => {
            const file = join(settings.folder, 'nats.conf');
            await mkdir(settings.folder, { recursive: true });
            await writeFile(file, configuration({ ...settings, name: `nats-${index}`, routePort, routePorts }));
            return { arguments: ['-c', file] };
          },
        },
      }),
    ),
  );
  const end = async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(servers.map((server) => server.start()));
  } catch (error) {
    await end();
    throw error;
  }
  const named = new Map(servers.map((server, index) => [`nats-${index}`, server]));
  return { urls: servers.map(({ url }) => url), servers: named, [Symbol.asyncDispose]: end };
}

interface Member {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly routePort: number;
  readonly routePorts: readonly number[];
}

function configuration({ name, folder, port, routePort, routePorts }: Member): string {
  const routes = routePorts.map((each) => `nats://127.0.0.1:${each}`).join(', ');
  return [
    `server_name: ${name}`,
    'host: 127.0.0.1',
    `port: ${port}`,
    `cluster { name: test, host: 127.0.0.1, port: ${routePort}, routes: [${routes}] }`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, max_file_store: 1GB }`,
    '',
  ].join('\n');
}
