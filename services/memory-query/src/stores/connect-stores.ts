import { setTimeout as pause } from 'node:timers/promises';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import { checkMongo } from './check-mongo.ts';
import { DirectQdrantClient } from './direct-qdrant.ts';

/** A store did not answer while the service started. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
}

/** How long a start waits for a store to come up, in milliseconds. */
const startTimeoutMs = 30_000;
const retryMs = 500;
/** While the service runs, a store that does not answer for so long counts as out of reach, in milliseconds. */
const mongoTimeoutMs = 5_000;
/** A large write may take its time, in milliseconds. */
const qdrantTimeoutMs = 60_000;

/** @throws StoreUnreachableError when MongoDB does not answer in time; StoreUnfitError when it is too old or stands alone. */
export async function connectMongo(url: string): Promise<MongoClient> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: mongoTimeoutMs });
  try {
    await answersInTime('MongoDB', url, async () => void (await client.db().command({ ping: 1 })));
    const admin = client.db('admin');
    const { version } = await admin.command({ buildInfo: 1 });
    const { setName, isreplicaset: isInitiating, msg } = await admin.command({ hello: 1 });
    checkMongo({ version: String(version), setName, isInitiating, msg });
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** @throws StoreUnreachableError when Qdrant does not answer in time. */
export async function connectQdrant(url: string, apiKey?: string): Promise<QdrantClient> {
  const client = new DirectQdrantClient({ url, apiKey, timeoutMs: qdrantTimeoutMs });
  await answersInTime('Qdrant', url, async () => void (await client.getCollections()));
  return client;
}

async function answersInTime(store: string, url: string, ask: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() + retryMs > deadline) throw unreachable(store, url, error);
      await pause(retryMs);
    }
  }
}

function unreachable(store: string, url: string, cause: unknown): StoreUnreachableError {
  // An address may hold a password.
  const shown = url.replace(/\/\/[^@/]*@/, '//');
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnreachableError(`${store} at ${shown} cannot be reached: ${reason}`, { cause });
}
