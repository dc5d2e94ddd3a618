import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Stack } from '../stack/stack.ts';
import { type StartStackOptions, startStack } from '../stack/start-stack.ts';

/** A folder for each test of a file, and stacks in it, which are stopped before it goes. */
export function useDataFolder() {
  const { NATS_URL, MONGODB_URL, QDRANT_URL, ...environment } = process.env;
  const stacks: Stack[] = [];
  const folder = {
    dataDir: '',
    environment,
    start: async (options: Partial<StartStackOptions> = {}): Promise<Stack> => {
      const stack = await startStack({ dataDir: folder.dataDir, environment, ...options });
      stacks.push(stack);
      return stack;
    },
  };
  beforeEach(async () => {
    folder.dataDir = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  });
  afterEach(async () => {
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
    await rm(folder.dataDir, { recursive: true, force: true });
  });
  return folder;
}
