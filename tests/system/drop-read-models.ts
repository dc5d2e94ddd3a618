import { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import type { System } from './start-system.ts';

/** Removes the read model of memories, while memory-query does not run. */
export async function dropReadModels({ stack }: Pick<System, 'stack'>): Promise<void> {
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  await mongo.db('mneme_memory').dropDatabase();
  await mongo.close();
  const qdrant = new QdrantClient({ url: stack.qdrantUrl, checkCompatibility: false });
  const { collections } = await qdrant.getCollections();
  for (const { name } of collections) await qdrant.deleteCollection(name);
}
