import { memoryEvents, memoryStream } from '@mneme/contracts';
import { type StartedModels, startModels } from '@mneme/embedding-model';
import { connectEventStore, ensureDeadLetterStream, ensureEventLog } from '@mneme/event-store';
import { countUsage } from '@mneme/models';
import { type Check, countUnknownTypes, createClient, type ServiceProcess, startService } from '@mneme/service-kit';
import type { MemoryIngestConfig } from './config.ts';
import { refusalReply } from './errors.ts';
import { createMemoryIngest } from './service.ts';

/**
 * Starts memory-ingest on a connection, which stays open when it is stopped.
 * @param given created from the configuration unless given
 */
export async function startMemoryIngest(
  config: MemoryIngestConfig,
  { connection, logger, metrics, models: given }: ServiceProcess & { readonly models?: StartedModels },
) {
  const name = 'memory-ingest';
  const options = { connection, source: name, logger, onUsage: countUsage(metrics) };
  const { models, embeddings, notice } = given ? { ...given, notice: undefined } : await startModels(config, options);
  const replicas = config.STREAM_REPLICAS;
  await ensureEventLog(connection, [memoryStream], replicas);
  await ensureDeadLetterStream(connection, replicas);
  const log = { connection, stream: memoryStream.name, source: name };
  const store = connectEventStore({ ...log, catalog: memoryEvents });
  const service = startService({ connection, name, logger, metrics, mapError: refusalReply });
  const client = createClient({ connection });
  const ingest = await createMemoryIngest({
    connection,
    store,
    service,
    client,
    models,
    embeddings,
    concurrency: config.INGEST_CONCURRENCY,
    modelThreads: config.MODEL_THREADS,
    logger,
    onUnknownType: countUnknownTypes(metrics),
  });
  service.announce();
  logger.info({ models: models.describe(), notice }, 'memory-ingest is ready');
  const checks: Record<string, Check> = {
    nats: () => connection.flush().then(() => true),
    'event-log': async () => (await store.head()) >= 0,
  };
  return {
    checks,
    stop: async () => {
      await Promise.all([ingest.stop(), service.stop()]);
      client.close();
      if (given) return;
      await embeddings.stop();
      await models.close();
    },
  };
}
