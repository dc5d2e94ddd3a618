import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '@mneme/local-stack';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { openQdrant } from './qdrant.ts';

/** How long the next message of a stream may take, in milliseconds; the least that the server takes. */
const lastMessageMs = 1_000;

/**
 * Where a text still stands: in messages of JetStream streams (those of KV buckets are among them), in the servers' raw
 * files of NATS, in documents of any MongoDB database, in payloads of Qdrant.
 *
 * MongoDB's `local` is left out: it holds the replication log, which no client may change and which drops its oldest
 * entries by itself.
 */
export async function placesOf(text: string, stack: Stack): Promise<string[]> {
  const places = [streamsWith(text, stack), filesWith(text, stack), rowsWith(text, stack), pointsWith(text, stack)];
  return (await Promise.all(places)).flat().sort();
}

async function streamsWith(text: string, { natsUrl }: Stack): Promise<string[]> {
  const connection = await connect({ servers: natsUrl });
  try {
    const manager = await jetstreamManager(connection);
    const found: string[] = [];
    for await (const name of manager.streams.names()) found.push(...(await subjectsWith(text, connection, name)));
    return found;
  } finally {
    await connection.close();
  }
}

async function subjectsWith(text: string, connection: NatsConnection, stream: string): Promise<string[]> {
  const { state } = await (await jetstreamManager(connection)).streams.info(stream);
  if (state.messages === 0) return [];
  const consumer = await jetstream(connection).consumers.get(stream);
  const found: string[] = [];
  for (let pending = state.messages; pending > 0; ) {
    // What is erased meanwhile is still counted as pending and never comes.
    pending = 0;
    for await (const message of await consumer.fetch({ max_messages: 1_000, expires: lastMessageMs })) {
      const content = `${message.subject}${message.headers}${Buffer.from(message.data).toString('utf8')}`;
      if (content.includes(text)) found.push(`${stream}: ${message.subject}`);
      pending = message.info.pending;
      if (pending === 0) break;
    }
  }
  return found;
}

async function filesWith(text: string, { servers }: Stack): Promise<string[]> {
  const { folder } = servers.nats;
  if (folder === undefined) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const isHit = await Promise.all(paths.map(async (path) => (await bytesOf(path)).includes(text)));
  return paths.filter((_, index) => isHit[index]).map((path) => `file: ${path.slice(folder.length)}`);
}

async function rowsWith(text: string, { mongodbUrl }: Stack): Promise<string[]> {
  const client = await new MongoClient(mongodbUrl).connect();
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const names = databases.map(({ name }) => name).filter((name) => name !== 'local');
    const found = names.map(async (name) => {
      const collections = await client.db(name).collections();
      const hits = collections.map(async (collection) => {
        const rows = await collection.find().toArray();
        return rows
          .filter((row) => JSON.stringify(row).includes(text))
          .map(() => `${name}.${collection.collectionName}`);
      });
      return (await Promise.all(hits)).flat();
    });
    return (await Promise.all(found)).flat();
  } finally {
    await client.close();
  }
}

async function pointsWith(text: string, { qdrantUrl }: Stack): Promise<string[]> {
  const client = openQdrant(qdrantUrl);
  const { collections } = await client.getCollections();
  const found = collections.map(async ({ name }) => {
    const { points } = await client.scroll(name, { limit: 10_000, with_payload: true, with_vector: false });
    return points.filter((point) => JSON.stringify(point).includes(text)).map(() => `qdrant: ${name}`);
  });
  return (await Promise.all(found)).flat();
}

/** Servers write beside a file and rename; what has gone meanwhile holds nothing. */
async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
