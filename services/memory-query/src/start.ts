import { embeddingEvents, memoryEvents, memoryStream } from '@mneme/contracts';
import { connectEventStore, connectMongo, ensureDeadLetterStream, ensureStream } from '@mneme/event-store';
import { countUsage, createLexicalEncoder, createModels, type Models } from '@mneme/models';
import { measureReadModels } from '@mneme/read-models';
import { type Check, type ServiceProcess, startService } from '@mneme/service-kit';
import type { MemoryQueryConfig } from './config.ts';
import { createMemoryQuery } from './service.ts';
import { connectQdrant } from './stores/qdrant-client.ts';
import { checkEmbeddingModel, createOwnVectors } from './vectors/embedding-model.ts';

export interface MemoryQueryProcess extends ServiceProcess {
  /** Created from the configuration unless given. */
  readonly models?: Models;
}

/** Starts memory-query with its stores. Stopping it leaves the connection to NATS open. */
export async function startMemoryQuery(
  config: MemoryQueryConfig,
  { connection, logger, metrics, ...given }: MemoryQueryProcess,
) {
  const models = given.models ?? (await createModels(config, { logger, onUsage: countUsage(metrics) }));
  const replicas = config.STREAM_REPLICAS;
  await ensureStream(connection, { ...memoryStream, replicas });
  await ensureDeadLetterStream(connection, replicas);
  const source = 'memory-query';
  const log = { connection, stream: memoryStream.name, source };
  const store = connectEventStore({ ...log, catalog: memoryEvents });
  const embeddingStore = connectEventStore({ ...log, catalog: embeddingEvents });
  await checkEmbeddingModel(embeddingStore, models.embeddings.name);
  const client = await connectMongo(config.MONGODB_URL);
  const qdrant = await connectQdrant(config.QDRANT_URL, config.QDRANT_API_KEY);
  const service = startService({ connection, name: source, logger, metrics });
  const db = client.db(config.MONGODB_DATABASE);
  const stores = { db, qdrant, embeddings: models.embeddings };
  const lexical = createLexicalEncoder();
  const ownVectors = createOwnVectors({ store: embeddingStore, embeddings: models.embeddings, logger });
  const readModel = await createMemoryQuery({
    connection,
    store,
    service,
    client,
    stores,
    models,
    lexical,
    ownVectors,
    logger,
    searchWithout: config.SEARCH_WITHOUT,
  });
  service.announce();
  logger.info({ models: models.describe(), lexical: lexical.name }, 'memory-query is ready');
  const checks: Record<string, Check> = {
    nats: async () => (await store.head()) >= 0,
    mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
    qdrant: async () => (await qdrant.getCollections()).collections.length > 0,
    'read model memory': () => readModel.readiness(),
  };
  const measuring = measureReadModels(metrics, [readModel]);
  return {
    checks,
    stop: async () => {
      await service.stop();
      measuring.stop();
      await readModel.stop();
      qdrant.close();
      await client.close();
      if (!given.models) await models.close();
    },
  };
}
