export type ServerName = 'nats' | 'mongod' | 'qdrant';

/** How a server ended that nobody had asked to end. */
export interface ServerExit {
  server: ServerName;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One real server of a stack. It keeps its address and its data over `stop`, `kill` and `start`. */
export interface Server {
  readonly name: ServerName;
  readonly url: string;
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
  urlOf(port: number): string;
  /** Prepares the folder and says how to start the server in it. */
  launch(settings: LaunchSettings): Promise<Launch>;
  /** Resolves when the server can be used; may throw, and is then called again until the deadline. */
  prepare(port: number): Promise<void>;
  /** A sentence for the user when the log shows a known cause of a failed start. */
  explainFailure?(log: string): string | undefined;
}

export interface LaunchSettings {
  folder: string;
  port: number;
  /** `disk`: acknowledged means fsynced. `process`: survives a kill of the server, not a loss of power. */
  durability: Durability;
}

export type Durability = 'disk' | 'process';

export interface Launch {
  arguments: readonly string[];
  environment?: Readonly<Record<string, string>>;
}
