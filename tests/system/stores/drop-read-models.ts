import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import type { System } from '../start-system.ts';
import { openQdrant } from './qdrant.ts';

/** Removes the read model of memories, while memory-query does not run. */
export async function dropReadModels({ stack }: Pick<System, 'stack'>, database = 'mneme_memory'): Promise<void> {
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  await mongo.db(database).dropDatabase();
  await mongo.close();
  const qdrant = openQdrant(stack.qdrantUrl);
  const { collections } = await qdrant.getCollections();
  expect(collections.length).toBeGreaterThan(0);
  for (const { name } of collections) await qdrant.deleteCollection(name);
}
