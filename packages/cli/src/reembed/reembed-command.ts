import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { memoryStream } from '@mneme/contracts';
import { connectModelStore, storedDimensions } from '@mneme/embedding-model';
import { streamExists } from '@mneme/event-store';
import { createProgressPrinter, DataFolderInUseError, readAddress, startStack } from '@mneme/local-stack';
import { createEmbeddings, modelsConfigShape } from '@mneme/models';
import { servicesBehindGateway } from '@mneme/read-models';
import {
  closeNats,
  connectNats,
  createClient,
  createLogger,
  loadConfig,
  logLevel,
  messageOf,
  natsMaxFileStore,
  natsUrl,
  pingService,
} from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { createProgressBar } from '../progress-bar.ts';
import { type ReembedDeps, type Reembedded, reembed } from './reembed.ts';
import { untilChosen } from './until-chosen.ts';

const reembedConfigSchema = z.object({
  ...modelsConfigShape,
  DATA_DIR: z.string().default('.data'),
  NATS_URL: natsUrl.unwrap().optional(),
  NATS_MAX_FILE_STORE: natsMaxFileStore,
  LOG_LEVEL: logLevel.default('warn'),
});
type ReembedConfig = z.output<typeof reembedConfigSchema>;

interface ReembedOptions {
  /** As EMBEDDING_MODEL, which it takes the place of. */
  readonly model?: string;
}

/** Brings the memory over to an embedding model, while the services run or when they are stopped. */
export async function reembedCommand({ model }: ReembedOptions): Promise<void> {
  try {
    await reembedLocal({ ...process.env, ...(model !== undefined && { EMBEDDING_MODEL: model }) });
  } catch (error) {
    const reason = messageOf(error);
    // What was given, and not the variable that it takes the place of.
    const named = model === undefined ? reason : reason.replaceAll('EMBEDDING_MODEL', '--model');
    process.stderr.write(`\nRe-embedding failed; the former embedding model stays in use. ${named}\n`);
    process.exit(1);
  }
  process.exit(0);
}

async function reembedLocal(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(reembedConfigSchema, env);
  const logger = createLogger({ service: 'reembed', level: config.LOG_LEVEL });
  await using closing = new AsyncDisposableStack();
  const url = await natsOf(config, resolve(env.INIT_CWD ?? '.', config.DATA_DIR), closing);
  const connection = await connectNats({ url, name: 'reembed', logger });
  closing.defer(() => closeNats(connection));
  // A log that is not there is made by the services, which know how many servers are to keep it.
  if (!(await streamExists(connection, memoryStream.name)))
    throw new Error(`There is no memory at ${connection.getServer()} yet. Start Mneme first.`);
  const isRunning = await servicesRun(connection);
  // Before the model starts a process, which inherits it.
  if (isRunning) setPriority(constants.priority.PRIORITY_LOW);
  const { model: embeddings, close } = await createEmbeddings(config, {
    logger,
    storedDimensions: async (name) =>
      storedDimensions(connection, await connectModelStore(connection, 'reembed').load(), name),
  });
  closing.defer(close);
  const onProgress = createProgressBar(process.stdout, `Embedding with ${embeddings.name}`);
  const deps: ReembedDeps = {
    connection,
    embeddings,
    isRunning,
    onProgress,
    untilChosen: waiting(connection, embeddings),
  };
  const { texts, events, unreadable } = await reembed(deps);
  const what = texts === 0 ? 'Nothing was missing.' : `${texts} texts of ${events} events were embedded.`;
  const then = isRunning ? 'and so are its answers' : 'the next start fills its read model anew';
  process.stdout.write(`${what} The memory is for ${embeddings.name} now; ${then}.\n`);
  if (unreadable.length > 0) process.stderr.write(describeUnreadable(unreadable));
}

/** The most events that are printed. */
const maxShown = 100;

function describeUnreadable(unreadable: Reembedded['unreadable']): string {
  const shown = unreadable.slice(0, maxShown).map(({ message }) => `${message}\n`);
  const more = unreadable.length > maxShown ? `There are ${unreadable.length - maxShown} more.\n` : '';
  return (
    `${unreadable.length} events were left out and have no vectors of this model:\n${shown.join('')}${more}` +
    'Fix the cause, for example by installing an update, and run `mneme reembed` again; see docs/embedding-model.md and docs/dead-letters.md.\n'
  );
}

/** The address of NATS: configured, of a local start that runs, or started for this command alone. */
async function natsOf(config: ReembedConfig, dataDir: string, closing: AsyncDisposableStack): Promise<string> {
  const { NATS_URL, NATS_MAX_FILE_STORE: natsMaxStoreBytes } = config;
  if (NATS_URL !== undefined) return NATS_URL;
  const onProgress = createProgressPrinter(process.stdout, ['downloading']);
  try {
    const stack = await startStack({ dataDir, servers: ['nats'], natsMaxStoreBytes, onProgress });
    closing.defer(() => stack.stop());
    return stack.natsUrl;
  } catch (error) {
    const url = error instanceof DataFolderInUseError ? readAddress(dataDir, 'nats-url') : undefined;
    if (url === undefined) throw error;
    return url;
  }
}

/** Any service of the same log tells that the others run, or will soon run again. */
async function servicesRun(connection: NatsConnection): Promise<boolean> {
  const pings = servicesBehindGateway.map((name) => pingService(connection, name, servicesTimeoutMs));
  return (await Promise.all(pings)).some(Boolean);
}

/** NATS says at once if there is no such service, in milliseconds. */
const servicesTimeoutMs = 5_000;

function waiting(connection: NatsConnection, { name }: ReembedDeps['embeddings']): ReembedDeps['untilChosen'] {
  const onProgress = createProgressBar(process.stdout, 'Building the read model');
  const onStuck = () =>
    process.stderr.write(
      `\nNo read model is being built. See the logs of memory-query and memory-ingest: they need the settings of ${name}, ` +
        'such as a key, as well. Answers come from the former model until then.\n',
    );
  return async (models) => {
    const client = createClient({ connection });
    try {
      await untilChosen({ client, embeddingModel: name, onProgress, onStuck }, models);
    } finally {
      client.close();
    }
  };
}
