import type { Stack } from '@mneme/local-stack';
import { connect } from '@nats-io/transport-node';
import { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import type { HttpClient } from '../system/http-client.ts';
import { type Latency, race } from './samples.ts';
import { findCollection, hybridQuery } from './search-floor.ts';
import { questions, sentences } from './sentences.ts';
import { openWriteFloor, type WriteFloor } from './write-floor.ts';

const searchedAgent = 'bench-search';
const storingAgent = 'bench-batch';
const loadBatch = 500;
const warmUp = 40;
const seed = 20_260_101;

export interface LatencyOptions {
  /** Memory units of the agent that is searched. */
  readonly units: number;
  /** Requests of each kind that count. */
  readonly rounds: number;
}

/** One kind of request of the system beside the floor of the same run. */
export interface Comparison {
  readonly name: string;
  readonly measured: Latency;
  readonly floorName: string;
  readonly floor: Latency;
}

export interface LatencyRun {
  readonly comparisons: readonly Comparison[];
  readonly loadSeconds: number;
}

interface Bench {
  readonly client: HttpClient;
  readonly qdrant: QdrantClient;
  readonly vectors: string;
  readonly writeFloor: WriteFloor;
  readonly options: LatencyOptions;
}

/** Fills one agent, then measures batches and searches beside their floors, all on the same servers. */
export async function measureLatency(client: HttpClient, stack: Stack, options: LatencyOptions): Promise<LatencyRun> {
  const startedAt = performance.now();
  await load(client, options.units);
  const loadSeconds = (performance.now() - startedAt) / 1_000;
  const connection = await connect({ servers: stack.natsUrl });
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  const headers = { 'accept-encoding': 'identity' };
  const qdrant = new QdrantClient({ url: stack.qdrantUrl, headers, checkCompatibility: false });
  const vectors = await findCollection(qdrant, searchedAgent);
  const writeFloor = await openWriteFloor({ connection, db: mongo.db('bench'), qdrant, vectors });
  try {
    const bench = { client, qdrant, vectors, writeFloor, options };
    const comparisons = [await compareSearch(bench), await compareBatch(bench, 1), await compareBatch(bench, 20)];
    return { comparisons, loadSeconds };
  } finally {
    writeFloor.stop();
    await mongo.close();
    await connection.close();
  }
}

async function load(client: HttpClient, units: number): Promise<void> {
  const texts = sentences(seed);
  for (let start = 0; start < units; start += loadBatch) {
    const items = take(texts, Math.min(loadBatch, units - start)).map((content) => ({ content }));
    await client.post('/api/memories/batch', { agent_id: searchedAgent, items });
  }
}

async function compareSearch({ client, qdrant, vectors, options }: Bench): Promise<Comparison> {
  const asked = take(questions(seed + 1), warmUp + options.rounds);
  const prepared = await Promise.all(asked.map((question) => hybridQuery(searchedAgent, question)));
  const { measured, floor } = await race(
    {
      measured: async (round) => {
        await client.post('/api/search', { agent_id: searchedAgent, query: asked[round] });
      },
      floor: async (round) => {
        await qdrant.query(vectors, prepared[round] ?? {});
      },
    },
    { rounds: options.rounds, warmUp },
  );
  const name = `search, ${options.units} units`;
  return { name, measured, floorName: 'bare Qdrant hybrid query', floor };
}

async function compareBatch({ client, writeFloor, options }: Bench, size: number): Promise<Comparison> {
  const texts = sentences(seed + 2 + size);
  const batches = Array.from({ length: warmUp + options.rounds }, () => take(texts, size));
  const prepared = await Promise.all(batches.map((batch) => writeFloor.prepare(batch)));
  const { measured, floor } = await race(
    {
      measured: async (round) => {
        const items = batches[round]?.map((content) => ({ content }));
        await client.post('/api/memories/batch', { agent_id: storingAgent, items });
      },
      floor: async (round) => {
        const message = prepared[round];
        if (message) await writeFloor.store(message);
      },
    },
    { rounds: options.rounds, warmUp },
  );
  const name = `synchronous batch, ${size} ${size === 1 ? 'item' : 'items'}`;
  return { name, measured, floorName: 'publish, consume, upsert twice', floor };
}

function take<T>(from: Iterator<T>, count: number): T[] {
  return Array.from({ length: count }, () => from.next().value as T);
}
