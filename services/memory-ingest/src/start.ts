import { embeddingEvents, memoryEvents, memoryStream } from '@mneme/contracts';
import { connectEventStore, ensureDeadLetterStream, ensureStream } from '@mneme/event-store';
import { countUsage, createModels, type Models } from '@mneme/models';
import { type Check, countUnknownTypes, createClient, type ServiceProcess, startService } from '@mneme/service-kit';
import type { MemoryIngestConfig } from './config.ts';
import { chooseEmbeddingModel } from './embedding/commands.ts';
import { refusalReply } from './errors.ts';
import { createMemoryIngest } from './service.ts';

export interface MemoryIngestProcess extends ServiceProcess {
  /** Made from the configuration unless given. */
  readonly models?: Models;
}

/** Starts memory-ingest with its models on a connection, which stays open when it is stopped. */
export async function startMemoryIngest(
  config: MemoryIngestConfig,
  { connection, logger, metrics, ...given }: MemoryIngestProcess,
) {
  const models = given.models ?? (await createModels(config, { logger, onUsage: countUsage(metrics) }));
  const replicas = config.STREAM_REPLICAS;
  await ensureStream(connection, { ...memoryStream, replicas });
  await ensureDeadLetterStream(connection, replicas);
  const log = { connection, stream: memoryStream.name, source: 'memory-ingest' };
  const store = connectEventStore({ ...log, catalog: memoryEvents });
  await chooseEmbeddingModel(connectEventStore({ ...log, catalog: embeddingEvents }), models.embeddings.name);
  const name = 'memory-ingest';
  const service = startService({ connection, name, logger, metrics, mapError: refusalReply });
  const client = createClient({ connection });
  const ingest = await createMemoryIngest({
    connection,
    store,
    service,
    client,
    models,
    concurrency: config.INGEST_CONCURRENCY,
    logger,
    onUnknownType: countUnknownTypes(metrics),
  });
  service.announce();
  logger.info({ models: models.describe() }, 'memory-ingest is ready');
  const checks: Record<string, Check> = { nats: async () => (await store.head()) >= 0 };
  return {
    checks,
    stop: async () => {
      await Promise.all([ingest.stop(), service.stop()]);
      client.close();
      if (!given.models) await models.close();
    },
  };
}
