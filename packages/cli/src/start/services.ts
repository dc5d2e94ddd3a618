import { type RunningGateway, startGateway } from '@mneme/gateway';
import { startKeys } from '@mneme/keys';
import { startMemoryIngest } from '@mneme/memory-ingest';
import { startMemoryQuery } from '@mneme/memory-query';
import { countUsage, createModels, type Models } from '@mneme/models';
import { closeNats, connectNats, type Logger, type Metrics, type Shutdown } from '@mneme/service-kit';
import type { StartConfig } from './config.ts';

export interface ServicesDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Gets what is to be closed at the end, in the order in which it was opened. */
  readonly shutdown: Shutdown;
}

export interface StartedServices {
  readonly gateway: RunningGateway;
  /** Those that the services share. */
  readonly models: Models;
}

/**
 * Starts all services in this process, each on a connection of its own, the gateway last: when it listens, the first
 * request is answered.
 */
export async function startServices(config: StartConfig, deps: ServicesDeps): Promise<StartedServices> {
  const { shutdown, logger, metrics } = deps;
  const models = await createModels(config, { logger, onUsage: countUsage(metrics) });
  const query = await startMemoryQuery(config, { ...(await openService('memory-query', config, deps)), models });
  shutdown.add('memory-query', () => query.stop());
  const ingest = await startMemoryIngest(config, { ...(await openService('memory-ingest', config, deps)), models });
  shutdown.add('memory-ingest', () => ingest.stop());
  const keys = await startKeys({ ...config, ...config.keys }, await openService('keys', config, deps));
  shutdown.add('keys', () => keys.stop());
  const gateway = await startGateway(config, await openService('gateway', config, deps));
  shutdown.add('gateway', () => gateway.stop());
  return { gateway, models };
}

async function openService(name: string, config: StartConfig, { logger, metrics, shutdown }: ServicesDeps) {
  const log = logger.child({ service: name });
  const connection = await connectNats({ url: config.NATS_URL, name, logger: log });
  shutdown.add(`the connection of ${name}`, () => closeNats(connection));
  return { connection, logger: log, metrics };
}
