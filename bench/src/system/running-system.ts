import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithBenchmark } from './end-with-benchmark.ts';
import { entryOf } from './entry.ts';

const readyLine = /^Mneme is ready: (\S+)$/m;
const readyTimeoutMs = 600_000;
const stopTimeoutMs = 25_000;

/** A system under measurement, in a process of its own. */
export interface RunningSystem {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to the line that says that it is ready, in milliseconds. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** Environment variables of the system. Servers whose addresses are left out are started with it. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Starts the whole system on a free port.
 * @throws Error with what the process printed when it ends, or is not ready in time
 */
export async function startSystem(dataDir: string, settings: Settings = {}): Promise<RunningSystem> {
  const { NATS_URL, MONGODB_URL, QDRANT_URL, ...environment } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [entryOf('standalone')], {
    env: { ...environment, ...settings, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithBenchmark(child);
  const url = await whenReady(child).catch(async (error: unknown) => {
    await end(child);
    throw error;
  });
  const readyMs = performance.now() - startedAt;
  return { url, pid: child.pid ?? 0, readyMs, stop: () => end(child) };
}

/** Lends a folder that is removed afterwards. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function whenReady(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const read = (chunk: Buffer) => {
    printed += chunk.toString('utf8');
    const url = readyLine.exec(printed)?.[1];
    if (url) resolve(url);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.once('exit', (code) => reject(new Error(`The system ended with ${code} before it was ready:\n${printed}`)));
  const late = () => reject(new Error(`The system was not ready after ${readyTimeoutMs} ms:\n${printed}`));
  const timer = setTimeout(late, readyTimeoutMs);
  return promise.finally(() => clearTimeout(timer));
}

/** Ends a process, by force if it takes too long. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
