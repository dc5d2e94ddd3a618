import type { Stack } from '@mneme/local-stack';
import { natsAddress } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import type { HttpClient } from '../system/http-client.ts';
import { type FloorVectors, openFloorVectors } from './floor-vectors.ts';
import { type Latency, race } from './samples.ts';
import { findCollection, hybridQuery } from './search-floor.ts';
import { questions, sentences, take } from './sentences.ts';
import { openWriteFloor, type WriteFloor } from './write-floor.ts';

const searchedAgent = 'bench-search';
const storingAgent = 'bench-batch';
const loadBatch = 500;
/** Until then the runtime compiles. */
const warmUp = { searches: 1_000, batchesOfOne: 1_000, largerBatches: 200 } as const;
const seed = 20_260_101;

export interface LatencyOptions {
  /** Memory units of the agent that is searched. */
  readonly units: number;
  /** When everything is measured, the agent is filled up to so many, and searched again; 0 leaves this out. */
  readonly grownUnits: number;
  /** Requests of each kind that count. */
  readonly rounds: number;
}

/** What is measured. */
export interface MeasuredSystem {
  readonly client: HttpClient;
  /** Of the process of all services, in MB. */
  readonly residentMb: () => Promise<number | undefined>;
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
  /** One for each size that the searched agent had. */
  readonly sizes: readonly SizeFigures[];
}

export interface SizeFigures {
  readonly units: number;
  /** How long it took to store those that were not there. */
  readonly loadSeconds: number;
  readonly search: Comparison;
  /** After the searches. */
  readonly residentMb: number | undefined;
}

interface Bench {
  readonly system: MeasuredSystem;
  readonly qdrant: QdrantClient;
  readonly vectors: string;
  readonly writeFloor: WriteFloor;
  readonly floorVectors: FloorVectors;
  readonly options: LatencyOptions;
}

/** Fills one agent, then measures batches and searches beside their floors, all on the same servers. */
export async function measureLatency(
  system: MeasuredSystem,
  stack: Stack,
  options: LatencyOptions,
): Promise<LatencyRun> {
  const texts = sentences(seed);
  const loadSeconds = await load(system.client, texts, options.units);
  const connection = await connect(natsAddress(stack.natsUrl));
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  const headers = { 'accept-encoding': 'identity' };
  const apiKey = stack.settings.QDRANT_API_KEY ?? '';
  const qdrant = new QdrantClient({ url: stack.qdrantUrl, apiKey, headers, checkCompatibility: false });
  const vectors = await findCollection(qdrant, searchedAgent);
  const floorVectors = await openFloorVectors(qdrant, vectors);
  const writeFloor = await openWriteFloor({ connection, db: mongo.db('bench'), qdrant, vectors, floorVectors });
  try {
    const bench = { system, qdrant, vectors, writeFloor, floorVectors, options };
    const sizes = [await measureSize(bench, options.units, loadSeconds)];
    const batches = [await compareBatch(bench, 1), await compareBatch(bench, 20)];
    if (options.grownUnits > options.units) {
      const moreSeconds = await load(system.client, texts, options.grownUnits - options.units);
      sizes.push(await measureSize(bench, options.grownUnits, moreSeconds));
    }
    return { comparisons: [...sizes.map(({ search }) => search), ...batches], sizes };
  } finally {
    writeFloor.stop();
    await mongo.close();
    await connection.close();
  }
}

/** @returns how long it took, in seconds */
async function load(client: HttpClient, texts: Iterator<string>, units: number): Promise<number> {
  const startedAt = performance.now();
  for (let start = 0; start < units; start += loadBatch) {
    const items = take(texts, Math.min(loadBatch, units - start)).map((content) => ({ content }));
    await client.post('/api/memories/batch', { agent_id: searchedAgent, items });
  }
  return (performance.now() - startedAt) / 1_000;
}

async function measureSize(bench: Bench, units: number, loadSeconds: number): Promise<SizeFigures> {
  const search = await compareSearch(bench, units);
  return { units, loadSeconds, search, residentMb: await bench.system.residentMb() };
}

async function compareSearch(
  { system, qdrant, vectors, floorVectors, options }: Bench,
  units: number,
): Promise<Comparison> {
  const asked = take(questions(seed + 1), warmUp.searches + options.rounds);
  const prepared = await Promise.all(asked.map((question) => hybridQuery(searchedAgent, question, floorVectors)));
  const { measured, floor } = await race(
    {
      measured: async (round) => {
        await system.client.post('/api/search', { agent_id: searchedAgent, query: asked[round] });
      },
      floor: async (round) => {
        await qdrant.query(vectors, prepared[round] ?? {});
      },
    },
    { rounds: options.rounds, warmUp: warmUp.searches },
  );
  const name = `search, ${units} units`;
  return { name, measured, floorName: 'bare Qdrant hybrid query', floor };
}

async function compareBatch({ system, writeFloor, options }: Bench, size: number): Promise<Comparison> {
  const texts = sentences(seed + 2 + size);
  const warming = size === 1 ? warmUp.batchesOfOne : warmUp.largerBatches;
  const batches = Array.from({ length: warming + options.rounds }, () => take(texts, size));
  const prepared = await Promise.all(batches.map((batch) => writeFloor.prepare(batch)));
  const { measured, floor } = await race(
    {
      measured: async (round) => {
        const items = batches[round]?.map((content) => ({ content }));
        await system.client.post('/api/memories/batch', { agent_id: storingAgent, items });
      },
      floor: async (round) => {
        const message = prepared[round];
        if (message) await writeFloor.store(message);
      },
    },
    { rounds: options.rounds, warmUp: warming },
  );
  const name = `synchronous batch, ${size} ${size === 1 ? 'item' : 'items'}`;
  return { name, measured, floorName: 'publish, consume, upsert twice', floor };
}
