import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { type NodeProcess, startMs, startNode } from './node-process.ts';
import { processesIn } from './processes-in.ts';

/** A local start, with servers of its own. */
export interface StartedCommand extends NodeProcess {
  /** Resolves when the line with the address has been printed. */
  ready(): Promise<HttpClient>;
  /** The token of user 1, printed behind the address. */
  token(): Promise<string>;
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** As `mneme start`; otherwise as `npm start`. */
  readonly byCli?: boolean;
  /** When it is ended at the latest; by default, with the test. */
  readonly until?: Until;
}

/** Takes what ends something, and runs it when that is no longer used. */
export type Until = (end: () => Promise<void>) => void;

/** Starts it, with the fast embedding model unless another one is given. */
export function startCommand(dataDir: string, options: StartOptions = {}): StartedCommand {
  const { environment = {}, byCli = false, until = onTestFinished } = options;
  const command = byCli
    ? { entry: 'packages/cli/src/main.ts', parameters: ['start'] }
    : { entry: 'services/standalone/src/main.ts' };
  const settings = { DATA_DIR: dataDir, PORT: '0', EMBEDDING_MODEL: 'builtin:words', ...environment };
  const started = startNode({ ...command, environment: settings });
  until(async () => void (await started.kill()));
  return {
    ...started,
    ready: async () => {
      const [, url = ''] = await started.printed(/^Mneme is ready: (\S+)$/m, startMs);
      return createHttpClient(url);
    },
    token: async () => {
      await started.printed(/Ctrl-C/);
      return printedToken.exec(started.output())?.[0] ?? '';
    },
  };
}

const printedToken = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;

/** A data folder that goes with the test, or when `until` says so. */
export async function newDataDir(until: Until = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  until(async () => {
    await nothingRunsIn(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Waits until no process works in the folder any more. */
export function nothingRunsIn(folder: string, timeoutMs = 10_000): Promise<boolean> {
  return eventually(`nothing runs in ${folder}`, async () => (await processesIn(folder)).length === 0, timeoutMs);
}
