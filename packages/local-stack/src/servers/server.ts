import type { SecretName } from '../files/local-secret.ts';

export type ServerName = 'nats' | 'mongod' | 'qdrant';

/** How a server ended unexpectedly. */
export interface ServerExit {
  server: ServerName;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One real server of a stack. It keeps its address and its data over `stop`, `kill` and `start`. */
export interface Server {
  readonly name: ServerName;
  /** With the credential in it where the protocol has it in the address (NATS and MongoDB). */
  readonly url: string;
  /** The environment variables by which a service reaches this server. */
  readonly settings: Readonly<Record<string, string>>;
  /** Process id, or `undefined` while it does not run or is not a process of this machine. */
  readonly pid: number | undefined;
  /** Where its configuration and its data are; `undefined` when they are not on this machine. */
  readonly folder: string | undefined;
  /** Starts it on the address that it had before and resolves when it answers; does nothing while it runs. */
  start(): Promise<void>;
  /** Ends it in an orderly way, by force when that takes too long. */
  stop(): Promise<void>;
  /** Sends a signal (SIGKILL unless told otherwise) and resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
}

/** What distinguishes one kind of server from another; the rest of its life is the same for all. */
export interface ServerDefinition {
  name: ServerName;
  /** Environment variable with the address of a server that runs already. */
  addressVariable: string;
  /** How long an orderly end may take before it is ended by force; all of them survive that without loss. */
  stopTimeoutMs: number;
  /** Under which name the credential of this server is kept in the data folder. */
  secretName: SecretName;
  urlOf(access: ServerAccess): string;
  settingsOf(access: ServerAccess): Readonly<Record<string, string>>;
  /** Prepares the folder and says how to start the server in it. */
  launch(settings: LaunchSettings): Promise<Launch>;
  /** Resolves when the server can be used; may throw, and is then called again until the deadline. */
  prepare(access: ServerAccess): Promise<void>;
  /** Asked of the server before an orderly stop; may fail. @param folder that of the server */
  beforeStop?(access: ServerAccess, folder: string): Promise<void>;
  /** A sentence for the user when the log of a failed start shows a known cause. @param folder that of the server */
  explainFailure?(log: string, folder: string): string | undefined;
}

/**
 * What to do when a server cannot load its data.
 * @param sign by which its log shows that
 * @param kept what of the data is not rebuilt
 */
export function explainDamage(log: string, sign: RegExp, { folder, kept = '' }: { folder: string; kept?: string }) {
  const isRefused =
    /No space left|Permission denied|Too many open files|Read-only file system|quota exceeded|Cannot allocate memory|temporarily unavailable|Input\/output error|pthread_create|os error (5|11|12|13|24|28|30|122)\b/i.test(
      log,
    );
  if (isRefused || !sign.test(log)) return undefined;
  return (
    `The files in ${folder} seem to be damaged. Move this folder away and start again: what was in it is rebuilt from ` +
    `the event log${kept}. See docs/backup.md, and the log of the server in the folder logs.`
  );
}

/** Where a server listens on this machine, and the credential for it. */
export interface ServerAccess {
  port: number;
  /** The credential that it asks for; undefined: it lets every local process in. */
  secret?: string | undefined;
}

export interface LaunchSettings extends ServerAccess {
  folder: string;
  /** `disk`: acknowledged means fsynced. `process`: survives a kill of the server, not a loss of power. */
  durability: Durability;
  /** How much the server may store; by the free space unless given. Only NATS has such a limit. */
  maxStoreBytes?: number | undefined;
}

export type Durability = 'disk' | 'process';

export interface Launch {
  arguments: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/**
 * A server that is run elsewhere: it is used, and never started or stopped.
 *
 * @param variable the environment variable that holds its address
 */
export function createExternalServer(name: ServerName, variable: string, url: string): Server {
  const refuse = () => Promise.reject(new Error(`${name} at ${url} is not run by this stack.`));
  return {
    name,
    url,
    settings: { [variable]: url },
    pid: undefined,
    folder: undefined,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    kill: refuse,
    restart: refuse,
  };
}

/**
 * The official images, for tests in containers; `docker-compose.yml` has the same. Of NATS the one with a shell, which
 * waiting for a port needs.
 */
export const serverImages: Readonly<Record<ServerName, string>> = {
  nats: 'nats:2.14.5-alpine',
  mongod: 'mongo:8.0',
  qdrant: 'qdrant/qdrant:v1.16.3',
};
