import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServerStartError } from '../errors.ts';
import { makePrivateFolder } from '../files/private-files.ts';
import { findFreePort, isListening } from '../free-port.ts';
import { waitUntil } from '../wait-until.ts';
import { type LifelineProcess, startLifelineProcess } from './lifeline-process.ts';
import type { Durability, Server, ServerAccess, ServerDefinition, ServerExit, ServerName } from './server.ts';

export interface LocalServerOptions {
  definition: ServerDefinition;
  binary: string;
  folder: string;
  logFile: string;
  durability: Durability;
  /** What the server asks its clients for; undefined: nothing. */
  secret: string | undefined;
  /** How much it may store; see `LaunchSettings`. */
  maxStoreBytes?: number | undefined;
  environment: NodeJS.ProcessEnv;
  onExit: (exit: ServerExit) => void;
  /** Called when a stop took too long and the server is killed. */
  onStopForced: (timeoutMs: number) => void;
}

const MAX_PORT_TRIES = 3;
const START_TIMEOUT_MS = 60_000;
const LOG_LINES_SHOWN = 15;

/** A server as a child process. */
export class LocalServer implements Server {
  readonly #options: LocalServerOptions;
  /** Chosen at the first start, and kept. */
  #port: number | undefined;
  #process: LifelineProcess | undefined;
  #starting: Promise<void> | undefined;
  /** How long the log was when the process was started, in bytes. */
  #logStart = 0;

  constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  get name(): ServerName {
    return this.#options.definition.name;
  }

  get url(): string {
    return this.#options.definition.urlOf(this.#access);
  }

  get settings(): Readonly<Record<string, string>> {
    return this.#options.definition.settingsOf(this.#access);
  }

  get #access(): ServerAccess {
    if (this.#port === undefined) throw new Error(`${this.name} has no address before its first start.`);
    return { port: this.#port, secret: this.#options.secret };
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get folder(): string {
    return this.#options.folder;
  }

  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    const { definition, folder } = this.#options;
    const { stopTimeoutMs } = definition;
    const force = setTimeout(() => {
      this.#options.onStopForced(stopTimeoutMs);
      running.kill('SIGKILL');
    }, stopTimeoutMs);
    // One that is still being started for the first time has no address.
    if (this.#port !== undefined) await definition.beforeStop?.(this.#access, folder).catch(() => {});
    await this.kill('SIGTERM');
    clearTimeout(force);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const running = this.#process;
    if (!running) return;
    this.#process = undefined;
    running.kill(signal);
    await running.exited;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async #start(): Promise<void> {
    if (this.#process) return;
    if (this.#port !== undefined) return this.#startOn(this.#port);
    for (let attempt = 1; ; attempt++) {
      const port = await findFreePort();
      try {
        await this.#startOn(port);
        this.#port = port;
        return;
      } catch (error) {
        // Another process may have taken the port between the choice and the start.
        const isPortTaken = await isListening(port);
        if (!isPortTaken || attempt === MAX_PORT_TRIES) throw error;
      }
    }
  }

  async #startOn(port: number): Promise<void> {
    const started = await this.#launch(port);
    // Known from here on, so that a stop ends a start that hangs.
    this.#process = started;
    const over = new AbortController();
    const died = started.exited.then(() => 'died' as const);
    try {
      const outcome = await Promise.race([died, this.#becomeReady(port, over.signal)]);
      if (outcome === 'died') throw new Error('it ended at once');
    } catch (cause) {
      this.#process = undefined;
      started.kill('SIGKILL');
      await died;
      throw await this.#startError(cause);
    } finally {
      over.abort();
    }
    void started.exited.then((exit) => this.#whenExited(started, exit));
  }

  async #launch(port: number): Promise<LifelineProcess> {
    const { definition, folder, durability, secret, maxStoreBytes, binary, logFile, environment } = this.#options;
    await makePrivateFolder(dirname(logFile));
    const launch = await definition.launch({ folder, port, secret, durability, maxStoreBytes });
    this.#logStart = await stat(logFile).then(
      ({ size }) => size,
      () => 0,
    );
    return startLifelineProcess({
      binary,
      arguments: launch.arguments,
      environment: { ...environment, ...launch.environment },
      workingFolder: folder,
      logFile,
    });
  }

  async #becomeReady(port: number, signal: AbortSignal): Promise<'ready'> {
    const { definition, secret } = this.#options;
    await waitUntil(() => isListening(port), START_TIMEOUT_MS, signal);
    await waitUntil(() => definition.prepare({ port, secret }).then(() => true), START_TIMEOUT_MS, signal);
    return 'ready';
  }

  #whenExited(ended: LifelineProcess, exit: { code: number | null; signal: NodeJS.Signals | null }): void {
    if (this.#process !== ended) return;
    this.#process = undefined;
    this.#options.onExit({ server: this.name, ...exit });
  }

  async #startError(cause: unknown): Promise<ServerStartError> {
    const { definition, folder, logFile } = this.#options;
    const written = await readFile(logFile).catch(() => Buffer.alloc(0));
    const isTruncated = written.length < this.#logStart;
    const log = written.subarray(isTruncated ? 0 : this.#logStart).toString();
    const end = log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
    const known = definition.explainFailure?.(log, folder);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = known ?? `${this.name} could not be started (${reason}). The end of ${logFile}:\n${end}`;
    return new ServerStartError(message, { cause });
  }
}
