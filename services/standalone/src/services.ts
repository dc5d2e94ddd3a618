import type { OnDownload } from '@mneme/downloads';
import { type StartedModels, startModels } from '@mneme/embedding-model';
import { type RunningGateway, startGateway } from '@mneme/gateway';
import { startKeys } from '@mneme/keys';
import { startMemoryIngest } from '@mneme/memory-ingest';
import { startMemoryQuery } from '@mneme/memory-query';
import { countUsage, type Models } from '@mneme/models';
import {
  closeNats,
  connectNats,
  type Logger,
  type Metrics,
  measureReadiness,
  type RunningService,
  type Shutdown,
} from '@mneme/service-kit';
import { startWebhook } from '@mneme/webhook';
import type { StartConfig } from './config.ts';
import type { Answering } from './readiness.ts';
import { createStopSequence, type StopSequence } from './stop-sequence.ts';

export interface ServicesDeps {
  /** The logger of a service, by its name. */
  readonly loggerOf: (service: string) => Logger;
  readonly metrics: Metrics;
  /** Is told how far the download of a model is. */
  readonly onDownload: OnDownload;
  /** Gets what is to be closed at the end. */
  readonly shutdown: Shutdown;
}

/** How long requests may wait for an outcome when everything ends, in milliseconds: less than the gateway has to end. */
const gatewayPatienceMs = 2_500;

/** With a secret for what has to be sealed. */
export type ServicesConfig = StartConfig & { readonly SECRETS_KEY: Uint8Array };

export interface StartedServices {
  readonly gateway: RunningGateway;
  /** Those that the services share. */
  readonly models: Models;
  /** On the embedding model, if it is neither the default one nor configured. */
  readonly notice: string | undefined;
  readonly readModels: readonly Answering[];
}

/**
 * Starts all services in this process, each on a connection of its own, the gateway last: when it listens, the first
 * request is answered.
 */
export async function startServices(config: ServicesConfig, deps: ServicesDeps): Promise<StartedServices> {
  const { shutdown, loggerOf } = deps;
  const end = createStopSequence(loggerOf('mneme'));
  const shared = await startShared(config, deps);
  // Closed before the models, with which the services finish their work.
  shutdown.add('the services', end.close);
  const { models, notice } = shared;
  const { databases } = config;
  const readModels: Answering[] = [];
  await allOf([
    startOne('memory-query', (opened) => startMemoryQuery(config, { ...opened, models: shared })),
    startOne('memory-ingest', (opened) => startMemoryIngest(config, { ...opened, models: shared })),
    startOne('keys', (opened) => startKeys({ ...config, MONGODB_DATABASE: databases.keys }, opened)),
    startOne('webhook', (opened) => startWebhook({ ...config, MONGODB_DATABASE: databases.webhook }, opened)),
  ]);
  // No load balancer has to learn of the end of a local start.
  const ofGateway = { ...config, SHUTDOWN_DELAY_MS: 0 };
  const gateway = await startGateway(ofGateway, await openService('gateway', config, deps, end));
  end.addGateway({ stop: () => gateway.stop(gatewayPatienceMs) });
  watchReadiness('gateway', gateway);
  return { gateway, models, notice, readModels };

  async function startOne(name: string, start: (opened: Opened) => Promise<StartedService>) {
    const service = await start(await openService(name, config, deps, end));
    readModels.push(...(service.readModels ?? []));
    end.addService(name, service);
    void service.failed?.then((reason) => shutdown.fail(reason));
    watchReadiness(name, service);
  }

  function watchReadiness(name: string, { ready, checks = {} }: RunningService) {
    const measuring = measureReadiness(deps.metrics, name, ready ?? checks);
    shutdown.add('the measuring of readiness', () => measuring.stop());
  }
}

/** The models of the log, which are followed on a connection of their own. */
async function startShared(config: StartConfig, deps: ServicesDeps): Promise<StartedModels> {
  const { loggerOf, metrics, onDownload, shutdown } = deps;
  const logger = loggerOf('models');
  const connection = await connectNats({ url: config.NATS_URL, name: 'models', logger });
  void connection.closed().then(() => shutdown.fail('The connection of the models to NATS is closed for good'));
  shutdown.add('the connection of the models', () => closeNats(connection));
  const source = 'memory-ingest';
  const onUsage = countUsage(metrics);
  const started = await startModels(config, { connection, source, logger, onUsage, onDownload });
  shutdown.add('models', async () => {
    await started.embeddings.stop();
    await started.models.close();
  });
  return started;
}

type StartedService = RunningService & { readonly readModels?: readonly Answering[] };
type Opened = Awaited<ReturnType<typeof openService>>;

/** Waits for all, also when one fails, so that nothing is still starting while the others are being closed. */
async function allOf(starts: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function openService(name: string, config: StartConfig, deps: ServicesDeps, end: StopSequence) {
  const { loggerOf, metrics, shutdown } = deps;
  const log = loggerOf(name);
  const connection = await connectNats({ url: config.NATS_URL, name, logger: log });
  void connection.closed().then(() => shutdown.fail(`The connection of ${name} to NATS is closed for good`));
  end.addConnection(connection);
  return { connection, logger: log, metrics };
}
