import { MongoClient } from 'mongodb';
import { checkMongo } from './check-mongo.ts';
import { reachStore } from './reach-store.ts';

/** While the service runs, a store that does not answer for so long counts as out of reach, in milliseconds. */
const mongoTimeoutMs = 5_000;

/**
 * Connects to a MongoDB that projections can write to.
 * @throws StoreUnreachableError when MongoDB does not answer in time; StoreUnfitError when it is too old or stands alone.
 */
export async function connectMongo(url: string): Promise<MongoClient> {
  const client = await reachStore('MongoDB', url, () => tryToConnect(url));
  try {
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

/** With a client of its own: one that could not connect stays closed, and would fail for ever. */
async function tryToConnect(url: string): Promise<MongoClient> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: mongoTimeoutMs });
  try {
    await client.db().command({ ping: 1 });
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
