import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import { findFreePort } from '../free-port.ts';
import { mongodArguments, mongodDefinition } from '../servers/mongod.ts';
import { natsConfiguration, natsDefinition } from '../servers/nats.ts';
import { qdrantDefinition } from '../servers/qdrant.ts';
import { type Server, type ServerDefinition, type ServerName, serverImages } from '../servers/server.ts';
import { createStack, type Stack } from '../stack/stack.ts';
import { waitUntil } from '../wait-until.ts';

const START_TIMEOUT_MS = 60_000;

interface ContainerDefinition {
  server: ServerDefinition;
  container(port: number): GenericContainer;
}

// The programs are named, whatever script an image begins with: what that does beyond starting them is not needed here.
// A server listens on the same port inside and outside: mongod has to find itself under the address that clients use.
const definitions: Readonly<Record<ServerName, ContainerDefinition>> = {
  nats: {
    server: natsDefinition,
    container: (port) => {
      const content = natsConfiguration({ host: '0.0.0.0', port, folder: '/data', durability: 'process' });
      const target = '/etc/mneme-nats.conf';
      return new GenericContainer(serverImages.nats)
        .withCopyContentToContainer([{ content, target }])
        .withEntrypoint(['nats-server'])
        .withCommand(['-c', target]);
    },
  },
  mongod: {
    server: mongodDefinition,
    container: (port) =>
      new GenericContainer(serverImages.mongod)
        .withEntrypoint(['mongod'])
        .withCommand(['--bind_ip_all', ...mongodArguments(port)]),
  },
  qdrant: {
    server: qdrantDefinition,
    container: (port) =>
      new GenericContainer(serverImages.qdrant).withEnvironment({
        QDRANT__SERVICE__HTTP_PORT: String(port),
        QDRANT__TELEMETRY_DISABLED: 'true',
      }),
  },
};

/** The same stack in containers from the official images; testcontainers removes them when this process is gone. */
export async function startContainerStack(names: readonly ServerName[]): Promise<Stack> {
  const containers: StartedTestContainer[] = [];
  const removeAll = async () => {
    await Promise.all(containers.map((container) => container.stop({ remove: true, removeVolumes: true })));
  };
  try {
    const servers = await Promise.all(
      names.map(async (name) => {
        const { server, container } = definitions[name];
        const port = await findFreePort();
        const started = await container(port).withExposedPorts({ container: port, host: port }).start();
        containers.push(started);
        await waitUntil(() => server.prepare({ port }).then(() => true), START_TIMEOUT_MS);
        return containerServer(server, started, port);
      }),
    );
    return createStack(servers, { afterStop: removeAll });
  } catch (error) {
    await removeAll();
    throw error;
  }
}

async function containerServer(
  definition: ServerDefinition,
  started: StartedTestContainer,
  port: number,
): Promise<Server> {
  const runtime = await getContainerRuntimeClient();
  const container = runtime.container.getById(started.getId());
  const isRunning = async () => (await container.inspect()).State.Running;
  const start = async () => {
    if (!(await isRunning())) await container.start();
    await waitUntil(() => definition.prepare({ port }).then(() => true), START_TIMEOUT_MS);
  };
  const stop = async () => {
    if (await isRunning()) await container.stop({ t: 5 });
  };
  return {
    name: definition.name,
    url: definition.urlOf({ port }),
    settings: definition.settingsOf({ port }),
    pid: undefined,
    folder: undefined,
    start,
    stop,
    kill: async (signal = 'SIGKILL') => {
      await container.kill({ signal });
      await container.wait();
    },
    restart: async () => {
      await stop();
      await start();
    },
  };
}
