import type { Endpoint } from '@mneme/contracts';
import { ensureStream, type StreamOptions } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import {
  closeNats,
  connectNats,
  createClient,
  createLogger,
  createMetrics,
  type ServiceProcess,
} from '@mneme/service-kit';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import { allEntries } from '../buckets/record-bucket.ts';
import { checkpointsCollection } from '../lanes/checkpoints.ts';

export interface ServiceBenchOptions {
  readonly name: string;
  /** The JetStream streams that it works on. */
  readonly streams: readonly Omit<StreamOptions, 'replicas'>[];
  readonly start: (
    env: Readonly<Record<string, string>>,
    process: ServiceProcess,
  ) => Promise<{ stop(): Promise<void> }>;
}

/** Real servers, on which a service is started, called over NATS and stopped. */
export async function openServiceBench({ name, streams, start }: ServiceBenchOptions) {
  const stack = await startTestStack({ servers: ['nats', 'mongod'] });
  const silent = createLogger({ service: 'test', level: 'silent' });
  const logged: string[] = [];
  const logger = createLogger({ service: name, destination: { write: (line) => logged.push(line) } });
  const connections: NatsConnection[] = [];
  const open = async (client: string) => {
    const connection = await connectNats({ url: stack.natsUrl, name: client, logger: silent });
    connections.push(connection);
    return connection;
  };
  const connection = await open('test');
  for (const stream of streams) await ensureStream(connection, { ...stream, replicas: 1 });
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  const db = mongo.db('test');
  const client = createClient({ connection });
  const running = new Set<{ stop(): Promise<void> }>();
  return {
    stack,
    connection,
    db,
    logged,
    start: async (env: Readonly<Record<string, string>> = {}) => {
      const serving = await open(name);
      const metrics = createMetrics();
      const settings = { MONGODB_URL: stack.mongodbUrl, MONGODB_DATABASE: 'test', ...env };
      const service = await start(settings, { connection: serving, logger, metrics });
      await serving.flush();
      running.add(service);
      return {
        metrics: () => metrics.text(),
        stop: async () => {
          running.delete(service);
          await service.stop();
        },
        /** Stops in the middle of its work, as a crash does. */
        cutOff: async () => {
          running.delete(service);
          await serving.close();
          await service.stop().catch(() => undefined);
        },
      };
    },
    call: <Req, Rep>(endpoint: Endpoint<Req, Rep>, request: Req) =>
      client.request(endpoint, request, { correlationId: 'test', timeoutMs: 20_000 }),
    /**
     * Keeps the first version of a read model from applying events, by a transaction that has its checkpoints.
     * @returns what lets it go on
     */
    holdReadModel: async (readModel: string) => {
      const session = mongo.startSession();
      session.startTransaction();
      const ofVersion = { version: `${readModel}@1` };
      await db
        .collection(checkpointsCollection)
        .updateMany(ofVersion, { $currentDate: { updatedAt: true } }, { session });
      return async () => {
        await session.abortTransaction();
        await session.endSession();
      };
    },
    /** What a bucket has under a key; undefined when there is nothing. */
    entryOf: async (bucket: string, key: string) => {
      const entry = await (await new Kvm(connection).open(bucket)).get(key);
      return entry?.operation === 'PUT' ? entry.json() : undefined;
    },
    /** Everything in a bucket but what was deleted, by key. */
    entriesOf: async (bucket: string): Promise<Record<string, unknown>> => {
      const entries = await allEntries(await new Kvm(connection).open(bucket));
      return Object.fromEntries(entries.map((entry) => [entry.key, entry.json()]).sort());
    },
    stop: async () => {
      for (const service of running) await service.stop();
      client.close();
      await Promise.all([...connections.map(closeNats), mongo.close()]);
      await stack.stop();
    },
  };
}

/** What `start` gives, for all tests of a file; stopped after them. */
export function useFixture<T extends { stop(): Promise<void> }>(start: () => Promise<T>): T {
  const fixture = {} as T;
  beforeAll(async () => void Object.assign(fixture, await start()));
  afterAll(() => fixture.stop?.());
  return fixture;
}

/** A client of an empty MongoDB, for a test file that needs nothing else. */
export function useTestMongo(): { readonly client: MongoClient } {
  return useFixture(async () => {
    const stack = await startTestStack({ servers: ['mongod'] });
    const client = await new MongoClient(stack.mongodbUrl).connect();
    const stop = async () => {
      await client.close();
      await stack.stop();
    };
    return { client, stop };
  });
}
