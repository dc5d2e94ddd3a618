import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { createDownloadPrinter } from '@mneme/downloads';
import { assertAddressFree } from '@mneme/gateway';
import {
  boundLogs,
  createProgressPrinter,
  removeAddress,
  type Stack,
  startStack,
  writeAddress,
} from '@mneme/local-stack';
import { builtInSettingOf, wordsSetting } from '@mneme/models';
import {
  createLogger,
  createLogStream,
  createMetrics,
  createShutdown,
  endOnUncaughtErrors,
  giveMemoryBackWhenIdle,
  type Logger,
  messageOf,
  type Shutdown,
  version,
} from '@mneme/service-kit';
import { startTracing } from '@mneme/telemetry';
import { loadStartConfig, type StartConfig } from './config.ts';
import { seedFirstUser } from './first-user.ts';
import { measureDisk } from './measure-disk.ts';
import { namingServers } from './named-server.ts';
import { unreadyReasons, whenAllAnswer } from './readiness.ts';
import { secretsOf } from './secrets.ts';
import { type ServicesConfig, type ServicesDeps, type StartedServices, startServices } from './services.ts';
import { allAnswer, welcome } from './welcome.ts';

/** Runs the servers and all services on this machine, in one process, until it receives a signal. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await startLocal(env);
  } catch (error) {
    process.stderr.write(`\nMneme could not start. ${messageOf(error)}\n`);
    process.exit(1);
  }
}

async function startLocal(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadStartConfig(env);
  const dataDir = resolve(env.INIT_CWD ?? '.', config.DATA_DIR);
  const logFile = join(dataDir, 'logs', 'mneme.log');
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const log = createLogStream(logFile);
  await once(log, 'ready');
  boundLogs([{ file: logFile, reopen: () => log.reopen() }]);
  const root = createLogger({ level: config.LOG_LEVEL, destination: log });
  const loggerOf = (service: string) => root.child({ service });
  const logger = loggerOf('mneme');
  endOnUncaughtErrors(logger);
  // What libraries warn about is for the log, such as Qdrant's client of a key that it sends over 127.0.0.1.
  console.warn = (...values: unknown[]) => logger.warn(format(...values));
  const shutdown = createShutdown(logger);
  shutdown.onSignals();
  giveMemoryBackWhenIdle({ logger });
  const metrics = createMetrics();
  endWithParent();
  try {
    const warn = (sentence: string) => {
      logger.warn(sentence);
      process.stderr.write(`${sentence}\n`);
    };
    const own = { DATA_DIR: dataDir, ...secretsOf(config, dataDir, warn) };
    await openTracing(env, { logger, shutdown });
    const stopMeasuringDisk = measureDisk(metrics, dataDir);
    shutdown.add('the measuring of the disk', stopMeasuringDisk);
    const deps = { loggerOf, metrics, shutdown };
    const { gateway, firstUser, ...started } = await startAll({ ...config, ...own }, deps);
    const isGuarded = config.MEMORY_AUTH === 'required';
    const about = { dataDir, logFile, models: describeModels(started), command: config.MNEME_COMMAND };
    const unready = unreadyReasons(started.readModels);
    process.stdout.write(welcome({ url: gateway.url, ...about, ...firstUser, isGuarded, unready }));
    if (unready.length === 0) return;
    const waiting = whenAllAnswer(started.readModels, () => process.stdout.write(allAnswer));
    shutdown.add('the wait for read models', async () => waiting.stop());
  } catch (error) {
    logger.error({ err: error }, 'The start failed');
    await shutdown.close();
    throw error;
  }
}

/** `mneme start` keeps a channel to this process. When it closes, that process is gone, and this one has to end too. */
function endWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Which models are in use and what that means. */
function describeModels({ models, notice }: Pick<StartedServices, 'models' | 'notice'>): string {
  const setting = builtInSettingOf(models.embeddings.name);
  const meaning = setting === wordsSetting ? ' They compare words, not meaning.' : '';
  const builtIn = `The built-in models need no key and no network.${meaning} See docs/models.md.`;
  return [models.describe(), setting === undefined ? undefined : builtIn, notice]
    .filter((line) => line !== undefined)
    .join('\n');
}

async function openTracing(
  env: NodeJS.ProcessEnv,
  { logger, shutdown }: { readonly logger: Logger; readonly shutdown: Shutdown },
): Promise<void> {
  const tracing = await startTracing({ service: 'mneme', version, env, logger });
  if (tracing) shutdown.add('tracing', () => tracing.stop());
}

async function startAll(config: ServicesConfig, deps: Omit<ServicesDeps, 'onDownload'>) {
  const { loggerOf, shutdown } = deps;
  const logger = loggerOf('mneme');
  const stack = await startServers(config, logger);
  shutdown.add('the servers', () => stack.stop());
  // That of a start which was killed; the gateway listens only when everything has started.
  removeAddress(config.DATA_DIR, 'gateway-url');
  writeAddress(config.DATA_DIR, 'nats-url', stack.natsUrl);
  shutdown.add('the address of NATS', async () => removeAddress(config.DATA_DIR, 'nats-url'));
  const reachable = { ...config, ...stack.settings };
  const onDownload = createDownloadPrinter(process.stdout);
  return namingServers(stack.servers, async () => {
    const started = await startServices(reachable, { ...deps, onDownload });
    writeAddress(config.DATA_DIR, 'gateway-url', started.gateway.url);
    shutdown.add('the address of the gateway', async () => removeAddress(config.DATA_DIR, 'gateway-url'));
    return { ...started, firstUser: await seedFirstUser(reachable, logger) };
  });
}

function startServers(config: StartConfig, logger: Logger): Promise<Stack> {
  const { DATA_DIR, HOST: host, PORT: port, NATS_MAX_FILE_STORE } = config;
  const print = createProgressPrinter(process.stdout);
  return startStack({
    dataDir: DATA_DIR,
    keepRunning: true,
    natsMaxStoreBytes: NATS_MAX_FILE_STORE,
    // The gateway listens last, when all servers have been fetched and started.
    onFolderHeld: () => assertAddressFree({ host, port }),
    onProgress: (progress) => {
      print(progress);
      if (progress.kind !== 'downloading') logger.info({ progress }, 'A local server');
    },
  });
}
