import { MongoClient } from 'mongodb';
import { openQdrant } from './qdrant.ts';
import type { System } from './start-system.ts';

/** Removes the read model of memories, while memory-query does not run. */
export async function dropReadModels({ stack }: Pick<System, 'stack'>): Promise<void> {
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  await mongo.db('mneme_memory').dropDatabase();
  await mongo.close();
  const qdrant = openQdrant(stack.qdrantUrl);
  const { collections } = await qdrant.getCollections();
  for (const { name } of collections) await qdrant.deleteCollection(name);
}
