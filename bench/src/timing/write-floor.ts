import { randomUUID } from 'node:crypto';
import { ensureStream } from '@mneme/event-store';
import { createLexicalEncoder, type SparseVector, scopeTerms } from '@mneme/models';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Collection, Db } from 'mongodb';
import type { FloorVectors } from './floor-vectors.ts';

/** A fact on its way, as large as the events of the system are: text, and the vector in base64. */
interface Fact {
  readonly id: string;
  readonly text: string;
  readonly vector: string;
  readonly lexical: SparseVector;
}

interface Message {
  readonly id: string;
  readonly facts: readonly Fact[];
}

interface Row {
  readonly _id: string;
  readonly agentKey: string;
  readonly text: string;
  readonly factType: string;
  readonly eventDate: Date;
}

export interface WriteFloor {
  /** Makes what `store` sends, so that extracting and embedding are no part of the floor. */
  prepare(texts: readonly string[]): Promise<Message>;
  /** Publishes, consumes, upserts rows and points, and resolves when the points can be found. */
  store(message: Message): Promise<void>;
  stop(): void;
}

export interface WriteFloorServers {
  readonly connection: NatsConnection;
  readonly db: Db;
  readonly qdrant: QdrantClient;
  /** The system's own collection, so that the points meet the same segments, indexes and settings. */
  readonly vectors: string;
  readonly floorVectors: FloorVectors;
}

const streamName = 'BENCH_FLOOR';
const subject = 'bench.floor';
const agentKey = 'bench-floor';

/**
 * The least that storing durably and findably can cost on these servers: one event in a stream with the settings of the
 * event log, one consumer, one upsert into MongoDB with the default write concern, one into Qdrant that waits.
 */
export async function openWriteFloor({
  connection,
  db,
  qdrant,
  vectors,
  floorVectors,
}: WriteFloorServers): Promise<WriteFloor> {
  await ensureStream(connection, { name: streamName, subjects: [subject], replicas: 1 });
  const js = jetstream(connection);
  const rows = db.collection<Row>('bench_floor');
  const stored = new Map<string, PromiseWithResolvers<void>>();
  const messages = await (await js.consumers.get(streamName)).consume();
  const consuming = (async () => {
    for await (const message of messages) {
      const { id, facts } = message.json<Message>();
      await upsertRows(rows, facts);
      await qdrant.upsert(vectors, { wait: true, points: facts.map(toPoint) });
      stored.get(id)?.resolve();
    }
  })();
  consuming.catch((error: unknown) => {
    for (const { reject } of stored.values()) reject(error);
  });
  return {
    prepare: (texts) => prepare(texts, floorVectors),
    store: async (message) => {
      const done = Promise.withResolvers<void>();
      stored.set(message.id, done);
      const published = js.publish(subject, JSON.stringify(message), { msgID: message.id });
      await Promise.all([published, done.promise]);
      stored.delete(message.id);
    },
    stop: () => messages.stop(),
  };
}

const lexicalEncoder = createLexicalEncoder();

async function prepare(texts: readonly string[], floorVectors: FloorVectors): Promise<Message> {
  const vectors = await Promise.all(texts.map(floorVectors));
  const facts = texts.map((text, index) => ({
    id: randomUUID(),
    text,
    vector: Buffer.from(Float32Array.from(vectors[index] ?? []).buffer).toString('base64'),
    lexical: scopeTerms(agentKey, lexicalEncoder.document(text)),
  }));
  return { id: randomUUID(), facts };
}

async function upsertRows(rows: Collection<Row>, facts: readonly Fact[]): Promise<void> {
  const writes = facts.map(({ id, text }) => ({
    replaceOne: {
      filter: { _id: id },
      replacement: { agentKey, text, factType: 'world', eventDate: new Date() },
      upsert: true,
    },
  }));
  await rows.bulkWrite(writes, { ordered: false });
}

function toPoint({ id, vector, lexical }: Fact) {
  const bytes = Buffer.from(vector, 'base64');
  const dense = [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)];
  return { id, vector: { dense, words: lexical }, payload: { agent: agentKey, type: 'world' } };
}
