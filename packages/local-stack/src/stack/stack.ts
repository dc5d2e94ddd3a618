import type { Server, ServerName } from '../servers/server.ts';

/** Real servers, however they are run. The address of a server that was not asked for throws when it is read. */
export interface Stack {
  readonly natsUrl: string;
  readonly mongodbUrl: string;
  readonly qdrantUrl: string;
  /** The environment variables by which services reach the servers that were started. */
  readonly settings: Readonly<Record<string, string>>;
  readonly servers: Readonly<Record<ServerName, Server>>;
  /** Stops the servers side by side, after everything that uses them has ended. May be called more than once. */
  stop(): Promise<void>;
}

export const ALL_SERVERS: readonly ServerName[] = ['nats', 'mongod', 'qdrant'];

export interface StackHooks {
  beforeStop?: () => void | Promise<void>;
  /** In place of `Server.stop`. */
  stopServer?: (server: Server) => Promise<void> | undefined;
  afterStop?: () => void | Promise<void>;
}

export function createStack(started: readonly Server[], hooks: StackHooks = {}): Stack {
  const find = (name: ServerName): Server => {
    const server = started.find((candidate) => candidate.name === name);
    if (!server) throw new Error(`The stack was started without ${name}.`);
    return server;
  };
  let stopped: Promise<void> | undefined;
  return {
    get natsUrl() {
      return find('nats').url;
    },
    get mongodbUrl() {
      return find('mongod').url;
    },
    get qdrantUrl() {
      return find('qdrant').url;
    },
    get settings() {
      return Object.assign({}, ...started.map((server) => server.settings));
    },
    servers: {
      get nats() {
        return find('nats');
      },
      get mongod() {
        return find('mongod');
      },
      get qdrant() {
        return find('qdrant');
      },
    },
    stop: () => {
      stopped ??= stopAll(started, hooks);
      return stopped;
    },
  };
}

async function stopAll(started: readonly Server[], hooks: StackHooks): Promise<void> {
  const { beforeStop, stopServer = (server: Server) => server.stop(), afterStop } = hooks;
  await beforeStop?.();
  try {
    await Promise.all(started.map(stopServer));
  } finally {
    await afterStop?.();
  }
}
