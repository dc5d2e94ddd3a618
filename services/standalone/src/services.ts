import { type RunningGateway, startGateway } from '@mneme/gateway';
import { startKeys } from '@mneme/keys';
import { startMemoryIngest } from '@mneme/memory-ingest';
import { startMemoryQuery } from '@mneme/memory-query';
import { countUsage, createModels, type Models } from '@mneme/models';
import { connectNats, type Logger, type Metrics, type Shutdown } from '@mneme/service-kit';
import { startWebhook } from '@mneme/webhook';
import type { StartConfig } from './config.ts';
import { createServicesEnd, type ServicesEnd } from './services-end.ts';

export interface ServicesDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Gets what is to be closed at the end. */
  readonly shutdown: Shutdown;
}

/** With a secret for what has to be sealed. */
export type ServicesConfig = StartConfig & { readonly SECRETS_KEY: Uint8Array };

export interface StartedServices {
  readonly gateway: RunningGateway;
  /** Those that the services share. */
  readonly models: Models;
}

/**
 * Starts all services in this process, each on a connection of its own, the gateway last: when it listens, the first
 * request is answered.
 */
export async function startServices(config: ServicesConfig, deps: ServicesDeps): Promise<StartedServices> {
  const { shutdown, logger, metrics } = deps;
  const end = createServicesEnd(logger);
  shutdown.add('the services', end.close);
  const models = await createModels(config, { logger, onUsage: countUsage(metrics) });
  shutdown.add('models', () => models.close());
  const { databases } = config;
  await allOf([
    startOne('memory-query', (opened) => startMemoryQuery(config, { ...opened, models })),
    startOne('memory-ingest', (opened) => startMemoryIngest(config, { ...opened, models })),
    startOne('keys', (opened) => startKeys({ ...config, MONGODB_DATABASE: databases.keys }, opened)),
    startOne('webhook', (opened) => startWebhook({ ...config, MONGODB_DATABASE: databases.webhook }, opened)),
  ]);
  const gateway = startGateway(config, await openService('gateway', config, deps, end));
  return { gateway: end.addGateway(await gateway), models };

  async function startOne(name: string, start: (opened: Opened) => Promise<{ stop(): Promise<void> }>) {
    end.addService(name, await start(await openService(name, config, deps, end)));
  }
}

type Opened = Awaited<ReturnType<typeof openService>>;

/** Waits for all, also when one fails, so that nothing is still starting while the others are being closed. */
async function allOf(starts: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function openService(name: string, config: StartConfig, { logger, metrics }: ServicesDeps, end: ServicesEnd) {
  const log = logger.child({ service: name });
  const connection = await connectNats({ url: config.NATS_URL, name, logger: log });
  end.addConnection(connection);
  return { connection, logger: log, metrics };
}
