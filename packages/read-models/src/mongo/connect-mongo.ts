import { mongoConnectionsChanged } from '@mneme/telemetry';
import { MongoClient, MongoClientBulkWriteError, MongoServerError } from 'mongodb';
import { reachStore } from './reach-store.ts';

/** What holds unless the address says otherwise, in milliseconds. */
const defaults = {
  /** While the service runs, a store that cannot be reached for this time counts as out of reach. */
  serverSelectionTimeoutMS: 5_000,
  /**
   * The driver asks each server on a connection of its own whether it is there. One that does not answer for these two together,
   * such as a machine that hangs, is given up, and whatever waits for it fails or is tried elsewhere. With the time above that is
   * well within what the gateway waits. Queries that take longer do not matter: the server goes on answering.
   */
  heartbeatFrequencyMS: 2_000,
  connectTimeoutMS: 8_000,
  /**
   * A connection over which nothing comes for this time, while an answer is due, is given up: a firewall may have forgotten it
   * without closing it, and the driver would wait for ever. Less than the gateway waits. What it cuts off is done again: reads
   * and single writes by the driver, batches by their checkpoints; a long index build goes on meanwhile.
   */
  socketTimeoutMS: 25_000,
  /** After a pause no forgotten connection is left: the driver would try one after the other, and give up each by itself. */
  maxIdleTimeMS: 60_000,
};

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
  const client = new MongoClient(url, defaultsFor(url));
  countConnections(client);
  try {
    await client.db().command({ ping: 1 });
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** The driver lets options win over the address. */
function defaultsFor(url: string): Partial<typeof defaults> {
  const unset = Object.entries(defaults).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  return Object.fromEntries(unset);
}

function countConnections(client: MongoClient): void {
  client.on('connectionCreated', () => mongoConnectionsChanged.publish({ state: 'open', by: 1 }));
  client.on('connectionClosed', () => mongoConnectionsChanged.publish({ state: 'open', by: -1 }));
  client.on('connectionCheckedOut', () => mongoConnectionsChanged.publish({ state: 'in_use', by: 1 }));
  client.on('connectionCheckedIn', () => mongoConnectionsChanged.publish({ state: 'in_use', by: -1 }));
}

/** A store answers, and is none that can be used. */
class StoreUnfitError extends Error {
  override readonly name = 'StoreUnfitError';
}

/** What a MongoDB server says about itself, by `buildInfo` and `hello`. */
export interface MongoServer {
  /** Such as `8.0.4`. */
  readonly version: string;
  /** Of its replica set; a server that stands alone has none. */
  readonly setName?: string | undefined;
  /** Whether it waits to become part of a replica set. */
  readonly isInitiating?: boolean | undefined;
  /** `isdbgrid` where it is the router of a sharded cluster. */
  readonly msg?: string | undefined;
}

/** The first that can write to several collections at once, which each batch of events needs. */
const oldestMajor = 8;

/** @throws StoreUnfitError naming what the server lacks, and what to do about it. */
export function checkMongo({ version, setName, isInitiating, msg }: MongoServer): void {
  if (!(Number.parseInt(version, 10) >= oldestMajor)) {
    throw new StoreUnfitError(
      `MongoDB ${version} is too old: Mneme needs MongoDB ${oldestMajor} or newer; update the server, or point MONGODB_URL at another one`,
    );
  }
  if (setName === undefined && !isInitiating && msg !== 'isdbgrid') {
    throw new StoreUnfitError(
      'MongoDB runs alone, without the transactions that Mneme needs: start it with --replSet and call rs.initiate() once, or point MONGODB_URL at a replica set',
    );
  }
}

const duplicateKeyCode = 11_000;

/** Whether a write failed because what it was to insert is there already. */
export function isDuplicateKey(error: unknown): boolean {
  if (error instanceof MongoClientBulkWriteError) {
    return [...error.writeErrors.values()].some(({ code }) => code === duplicateKeyCode);
  }
  return error instanceof MongoServerError && error.code === duplicateKeyCode;
}
