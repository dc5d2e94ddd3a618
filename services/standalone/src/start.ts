import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import {
  boundLogs,
  createProgressPrinter,
  localSecret,
  removeAddress,
  type Stack,
  startStack,
  writeAddress,
} from '@mneme/local-stack';
import type { Models } from '@mneme/models';
import { createLogger, createMetrics, createShutdown, type Logger, type Shutdown } from '@mneme/service-kit';
import { destination } from 'pino';
import { loadStartConfig, type StartConfig } from './config.ts';
import { seedFirstUser } from './first-user.ts';
import { type ServicesConfig, startServices } from './services.ts';
import { welcome } from './welcome.ts';

/** Runs the servers and all services on this machine, in one process, until it receives a signal. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await startLocal(env);
  } catch (error) {
    process.stderr.write(`\nMneme could not start. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

async function startLocal(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadStartConfig(env);
  const dataDir = resolve(env.INIT_CWD ?? '.', config.DATA_DIR);
  const logFile = join(dataDir, 'logs', 'mneme.log');
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const log = destination({ dest: logFile, sync: false, mode: 0o600 });
  boundLogs([{ file: logFile, reopen: () => log.reopen() }]);
  const logger = createLogger({ service: 'mneme', level: config.LOG_LEVEL, destination: log });
  // What libraries warn about is for the log, such as Qdrant's client of a key that it sends over 127.0.0.1.
  console.warn = (...values: unknown[]) => logger.warn(format(...values));
  const shutdown = createShutdown({ logger });
  shutdown.onSignals();
  try {
    const own = { DATA_DIR: dataDir, ...secretsOf(config, dataDir) };
    const { gateway, models, token } = await startAll({ ...config, ...own }, logger, shutdown);
    const isGuarded = config.MEMORY_AUTH === 'required';
    const about = { dataDir, logFile, models: describeModels(models) };
    process.stdout.write(welcome({ url: gateway.url, ...about, token, isGuarded }));
  } catch (error) {
    logger.error({ err: error }, 'The start failed');
    await shutdown.close();
    throw error;
  }
}

/** What has to be secret: as it is configured, else made and kept in the data folder. */
function secretsOf({ JWT_SECRET, JWT_JWKS_URL, SECRETS_KEY }: StartConfig, dataDir: string) {
  const signing = JWT_SECRET ?? (JWT_JWKS_URL === undefined ? localSecret(dataDir, 'jwt-secret') : undefined);
  return {
    SECRETS_KEY: SECRETS_KEY ?? Buffer.from(localSecret(dataDir, 'secrets-key'), 'base64url'),
    ...(signing !== undefined && { JWT_SECRET: signing }),
  };
}

/** Which models are in use and, for the built-in ones, what that means. */
function describeModels(models: Models): string {
  const isBuiltIn = models.embeddings.name.startsWith('mneme-');
  const meaning =
    'The built-in models need no key and no network. They compare words, not meaning; see docs/models.md.';
  return isBuiltIn ? `${models.describe()}\n${meaning}` : models.describe();
}

async function startAll(config: ServicesConfig, logger: Logger, shutdown: Shutdown) {
  const stack = await startServers(config, logger);
  shutdown.add('the servers', () => stack.stop());
  writeAddress(config.DATA_DIR, stack.natsUrl);
  shutdown.add('the address', async () => removeAddress(config.DATA_DIR));
  const reachable = { ...config, ...stack.settings };
  const started = await startServices(reachable, { logger, metrics: createMetrics(), shutdown });
  return { ...started, token: await seedFirstUser(reachable, logger) };
}

function startServers({ DATA_DIR }: StartConfig, logger: Logger): Promise<Stack> {
  const print = createProgressPrinter(process.stdout);
  return startStack({
    dataDir: DATA_DIR,
    keepRunning: true,
    onProgress: (progress) => {
      print(progress);
      if (progress.kind !== 'downloading') logger.info({ progress }, 'A local server');
    },
  });
}
