import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../files/folder-lock.ts';
import { createProgressPrinter } from '../progress.ts';
import type { ServerName } from '../servers/server.ts';
import { createStack, type Stack } from './stack.ts';
import { startStack } from './start-stack.ts';

export interface TestStackOptions {
  servers: readonly ServerName[];
}

const PREFIX = 'mneme-test-';
const LEFTOVER_AGE_MS = 3_600_000;

/**
 * A stack for one test file, in a temporary folder that goes with it.
 * They ask for no credentials, which is faster and lets tests look into them; those of a start do, and are tested by
 * `authentication.test.ts` here and by `tests/start`.
 * Addresses in the environment are not used: tests stop, kill and empty their servers.
 * With MNEME_TEST_STACK=containers the servers run in containers, from the official images.
 */
export async function startTestStack({ servers }: TestStackOptions): Promise<Stack> {
  if (process.env.MNEME_TEST_STACK === 'containers') {
    const { startContainerStack } = await import('./container-stack.ts');
    return startContainerStack(servers);
  }
  await removeLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  const { NATS_URL, MONGODB_URL, QDRANT_URL, ...environment } = process.env;
  const onProgress = createProgressPrinter(process.stderr, ['downloading', 'waiting-for-other-download', 'exited']);
  const stack = await startStack({
    dataDir,
    servers,
    environment,
    onProgress,
    durability: 'process',
    authentication: 'none',
  });
  const started = servers.map((name) => stack.servers[name]);
  return createStack(started, {
    // The data are not read again, so that nothing has to be ended in an orderly way.
    beforeStop: async () => void (await Promise.all(started.map((server) => server.kill()))),
    afterStop: async () => {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
}

/** Folders of test runs that were killed. Those that are in use, or may be about to be, stay. */
async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const isOld = await stat(folder).then(
      (entry) => Date.now() - entry.mtimeMs > LEFTOVER_AGE_MS,
      () => false,
    );
    if (!isOld) continue;
    const lock = tryLock(join(folder, 'stack.lock'));
    if (!lock) continue;
    await rm(folder, { recursive: true, force: true });
    lock.release();
  }
}
