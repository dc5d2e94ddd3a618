import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { type NodeProcess, startNode } from './node-process.ts';
import { processesIn } from './processes-in.ts';

/** `mneme start`, as `npm start` runs it, with servers of its own. */
export interface StartedCommand extends NodeProcess {
  /** Resolves when the line with the address has been printed. */
  ready(): Promise<HttpClient>;
}

/** Starts it; it ends with the test. */
export function startCommand(dataDir: string, environment: Readonly<Record<string, string>> = {}): StartedCommand {
  const settings = { DATA_DIR: dataDir, PORT: '0', ...environment };
  const started = startNode({ entry: 'services/standalone/src/main.ts', environment: settings });
  onTestFinished(async () => void (await started.kill()));
  return {
    ...started,
    ready: async () => {
      const [, url = ''] = await started.printed(/^Mneme is ready: (\S+)$/m);
      return createHttpClient(url);
    },
  };
}

/** A data folder that goes with the test. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  onTestFinished(async () => {
    await nothingRunsIn(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Waits until no process works in the folder any more. */
export function nothingRunsIn(folder: string, deadlineMs = 10_000): Promise<boolean> {
  return eventually(`nothing runs in ${folder}`, async () => (await processesIn(folder)).length === 0, deadlineMs);
}
