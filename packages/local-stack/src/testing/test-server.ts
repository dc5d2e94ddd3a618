import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNpmRegistry } from '@mneme/downloads';
import { findBinaries } from '../binaries/find-binaries.ts';
import { pinnedBinaries } from '../binaries/pinned.ts';
import { createProgressPrinter } from '../progress.ts';
import { LocalServer } from '../servers/local-server.ts';
import { natsDefinition } from '../servers/nats.ts';
import type { Server, ServerDefinition } from '../servers/server.ts';

export interface TestServerOptions {
  readonly definition: ServerDefinition;
  /** Where its configuration and its data are; its log is beside it. */
  readonly folder: string;
  /** The credential that it asks for; none unless given. */
  readonly secret?: string;
  /** How much NATS may store, in bytes; by the free space unless given. */
  readonly maxStoreBytes?: number;
}

/**
 * One server that a test puts together with others, such as a member of a cluster. It does not run before its first
 * `start`, and ends with this process.
 * @throws BinaryUnavailableError
 */
export async function createTestServer(options: TestServerOptions): Promise<Server> {
  const { definition, folder, secret, maxStoreBytes } = options;
  const { name } = definition;
  const environment = process.env;
  const onProgress = createProgressPrinter(process.stderr, ['downloading', 'waiting-for-other-download', 'exited']);
  const registry = createNpmRegistry(environment);
  const binary = (await findBinaries([pinnedBinaries[name]], { environment, registry, onProgress })).get(name);
  if (binary === undefined) throw new Error(`No binary of ${name} was found.`);
  return new LocalServer({
    definition,
    binary,
    folder,
    logFile: `${folder}.log`,
    durability: 'disk',
    secret,
    maxStoreBytes,
    environment,
    onExit: (exit) => onProgress({ kind: 'exited', ...exit }),
    onStopForced: (timeoutMs) => onProgress({ kind: 'stop-forced', server: name, timeoutMs }),
  });
}

/** A NATS server of one test, in a temporary folder that goes with it. */
export async function startTestNats(options: Pick<TestServerOptions, 'maxStoreBytes'> = {}) {
  const parent = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  const folder = join(parent, 'nats');
  const server = await createTestServer({ definition: natsDefinition, folder, ...options });
  await server.start();
  const end = async () => {
    await server.kill();
    await rm(parent, { recursive: true, force: true });
  };
  return { server, folder, [Symbol.asyncDispose]: end };
}
