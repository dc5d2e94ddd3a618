import { agentKeyOf, type MemoryEvent, memoryEvents, memoryStream } from '@mneme/contracts';
import { connectEventStore, ensureStream, messageAt, openLog, type Recorded } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { createHashedEmbeddings, createLexicalEncoder } from '@mneme/models';
import { ReadModel } from '@mneme/read-models';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import pino from 'pino';
import { memoryStore } from '../projection/memory-store.ts';
import { memoryReadModel } from '../read-model/read-model.ts';
import { createReads } from '../read-model/reads.ts';
import { connectQdrant } from '../stores/qdrant-client.ts';

/**
 * A log on real servers with the read model that follows it.
 * @param beforeApply called with each batch of events; it is applied when that resolves
 */
export async function startFollowedLog(beforeApply: (events: readonly Recorded<MemoryEvent>[]) => Promise<void>) {
  const stack = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
  const client = await new MongoClient(stack.mongodbUrl).connect();
  const connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  const embeddings = createHashedEmbeddings();
  const stores = { db: client.db('followed_log'), qdrant: await connectQdrant(stack.qdrantUrl), embeddings };
  const models = { wanted: () => embeddings, loaded: () => [embeddings] };
  const lexical = createLexicalEncoder();
  const ownVectors = async (events: readonly Recorded<MemoryEvent>[]) => {
    await beforeApply(events);
    return events;
  };
  const readModel = await ReadModel.start(
    { connection, client, db: stores.db, logger: pino({ level: 'silent' }) },
    memoryReadModel(models, (version) => memoryStore({ client, stores, version, lexical, log: 'test', ownVectors })),
  );
  const log = openLog(connection, memoryStream.name);
  const at = (sequence: number) => messageAt(log, sequence);
  return {
    connection,
    store: connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' }),
    readModel,
    messageAt: at,
    reads: createReads(readModel, async (sequence) => agentKeyOf((await at(sequence))?.subject ?? '')),
    stop: async () => {
      await readModel.stop();
      await connection.close();
      await client.close();
      await stack.stop();
    },
  };
}
