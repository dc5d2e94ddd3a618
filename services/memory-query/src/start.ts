import { memoryEvents, memoryStream } from '@mneme/contracts';
import { connectEventStore, ensureParkedStream, ensureStream } from '@mneme/event-store';
import { createHashedEmbeddings, createLexicalEncoder } from '@mneme/models';
import { type Check, type Logger, type Metrics, startService } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import type { MemoryQueryConfig } from './config.ts';
import { createMemoryQuery } from './service.ts';

export interface MemoryQueryProcess {
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** After so long a store that does not answer counts as out of reach, in milliseconds. */
const storeTimeoutMs = 5_000;

/** Starts memory-query with its stores on a connection, which stays open when it is stopped. */
export async function startMemoryQuery(config: MemoryQueryConfig, { connection, logger, metrics }: MemoryQueryProcess) {
  const replicas = config.STREAM_REPLICAS;
  await ensureStream(connection, { ...memoryStream, replicas });
  await ensureParkedStream(connection, replicas);
  const source = 'memory-query';
  const store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source });
  const client = await new MongoClient(config.MONGODB_URL, { serverSelectionTimeoutMS: storeTimeoutMs }).connect();
  const qdrant = connectQdrant(config);
  const service = startService({ connection, name: source, version: '0.1.0', logger, metrics });
  const embeddings = createHashedEmbeddings();
  const db = client.db(config.MONGODB_DATABASE);
  const stores = { db, qdrant, dimensions: embeddings.dimensions };
  const lexical = createLexicalEncoder();
  const projection = await createMemoryQuery({
    ...{ connection, store, service, client, stores, embeddings, lexical, logger },
  });
  logger.info({ embeddings: embeddings.name, lexical: lexical.name }, 'memory-query is ready');
  const checks: Record<string, Check> = {
    nats: async () => (await store.head()) >= 0,
    mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
    qdrant: async () => (await qdrant.getCollections()).collections.length > 0,
  };
  return {
    checks,
    stop: async () => {
      await service.stop();
      await projection.stop();
      await client.close();
    },
  };
}

/** Without `identity` a short answer is compressed and sent in two pieces, which costs 40 ms. */
function connectQdrant({ QDRANT_URL: url, QDRANT_API_KEY: apiKey }: MemoryQueryConfig): QdrantClient {
  const headers = { 'accept-encoding': 'identity' };
  const options = { url, headers, checkCompatibility: false, timeout: storeTimeoutMs * 12 };
  return new QdrantClient(apiKey === undefined ? options : { ...options, apiKey });
}
