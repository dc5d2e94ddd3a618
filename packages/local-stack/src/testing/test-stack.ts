import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '@mneme/downloads';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { createProgressPrinter } from '../progress.ts';
import type { Server, ServerName } from '../servers/server.ts';
import { createStack, type Stack } from '../stack/stack.ts';
import { startStack } from '../stack/start-stack.ts';

export interface TestStackOptions {
  servers: readonly ServerName[];
}

const PREFIX = 'mneme-test-';
const LEFTOVER_AGE_MS = 300_000;

/**
 * A stack for one test file, as if it were new: servers stay for the next test file of this process, which gets them
 * empty. Those that a test has stopped or killed do not.
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
  const taken = await Promise.all(servers.map(takeServer));
  const stopServer = ({ name }: Server) => taken.find(({ server }) => server.name === name)?.giveBack();
  return createStack(
    taken.map(({ server }) => server),
    { stopServer },
  );
}

interface TakenServer {
  readonly server: Server;
  readonly giveBack: () => Promise<void>;
}

/** Servers that earlier test files of this process have left. Modules may be loaded anew for each file; this stays. */
const spares = globalThis as { mnemeTestServers?: Map<ServerName, Stack[]> };
spares.mnemeTestServers ??= new Map();

/** How a server is made as good as new. */
const emptied: Record<ServerName, (stack: Stack) => Promise<void>> = {
  nats: ({ natsUrl }) => deleteStreams(natsUrl),
  mongod: ({ mongodbUrl }) => dropDatabases(mongodbUrl),
  qdrant: ({ qdrantUrl }) => dropCollections(qdrantUrl),
};

async function takeServer(name: ServerName): Promise<TakenServer> {
  const stack = (await takeSpare(name)) ?? (await startServer(name));
  const server = stack.servers[name];
  const { pid } = server;
  const giveBack = async () => {
    const isSound = pid !== undefined && server.pid === pid;
    if (isSound) spares.mnemeTestServers?.set(name, [...(spares.mnemeTestServers.get(name) ?? []), stack]);
    else await stack.stop();
  };
  return { server, giveBack };
}

async function takeSpare(name: ServerName): Promise<Stack | undefined> {
  const stack = spares.mnemeTestServers?.get(name)?.pop();
  if (!stack) return undefined;
  try {
    await emptied[name](stack);
    return stack;
  } catch {
    await stack.stop();
    return undefined;
  }
}

/** In a temporary folder that goes with it. */
async function startServer(name: ServerName): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  const { NATS_URL, MONGODB_URL, QDRANT_URL, ...environment } = process.env;
  const stack = await startStack({
    dataDir,
    servers: [name],
    environment,
    onProgress: createProgressPrinter(process.stderr, ['downloading', 'waiting-for-other-download', 'exited']),
    durability: 'process',
    authentication: 'none',
  });
  return createStack([stack.servers[name]], {
    // No one reads the data again, so that nothing has to be ended in an orderly way.
    stopServer: (server) => server.kill(),
    afterStop: async () => {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
}

/** Buckets are streams too, and consumers go with their streams. */
async function deleteStreams(url: string): Promise<void> {
  const connection = await connect({ servers: url });
  try {
    const { streams } = await jetstreamManager(connection);
    for await (const name of streams.names()) await streams.delete(name);
  } finally {
    await connection.close();
  }
}

async function dropDatabases(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    // A transaction of a process that was killed would hold up the drop, for a minute at most.
    await client.db('admin').command({ killAllSessions: [] });
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const own = databases.filter(({ name }) => !['admin', 'config', 'local'].includes(name));
    await Promise.all(own.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}

async function dropCollections(url: string): Promise<void> {
  const { result } = (await (await fetch(`${url}/collections`)).json()) as {
    result: { collections: { name: string }[] };
  };
  for (const { name } of result.collections) {
    const answer = await fetch(`${url}/collections/${encodeURIComponent(name)}`, { method: 'DELETE' });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`Qdrant did not delete ${name}: ${answer.status}`);
  }
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
