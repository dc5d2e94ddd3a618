import { randomBytes } from 'node:crypto';
import { defineEvent, type EventOf, eventCatalog } from '@mneme/contracts';
import { connectEventStore, ensureStream, messageAt, openLog, type Recorded } from '@mneme/event-store';
import { damageFile, type Stack, startTestStack, waitUntil } from '@mneme/local-stack/testing';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { type Collection, type Db, MongoClient } from 'mongodb';
import pino from 'pino';
import { afterAll, afterEach, it as baseIt, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import type { Batch, Commit, Maintenance, ReadModelDefinition } from '../definition.ts';
import { acceptsMongoWrites, mongoIdentity } from '../mongo/mongo-store.ts';
import { ReadModel } from '../read-model.ts';

const counted = defineEvent('Counted', { n: z.number() });
const notedBefore = defineEvent('Noted', { note: z.string() });
const noted = defineEvent(
  'Noted',
  { text: z.string() },
  { version: 2, upcasters: { 1: (data) => ({ text: (data as { note: string }).note }) } },
);
const ended = defineEvent('Ended', {});
export const catalog = eventCatalog([counted, noted, ended]);
export type TestEvent = EventOf<typeof catalog>;
/** What older releases know, by what they lack to read `Noted`. */
export const olderCatalogs = {
  type: eventCatalog([counted, ended]) as typeof catalog,
  version: eventCatalog([counted, notedBefore, ended]) as typeof catalog,
};

export const context = { correlationId: 'test' };
export const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });

/** What became of an aggregate: the sum and the sequences of its events. */
export interface SumRow {
  readonly _id: string;
  readonly sum: number;
  readonly sequences: readonly number[];
}

export interface SumRows {
  readonly sums: Collection<SumRow>;
}

/** Ways to make a store fail. */
export interface Faults {
  /** Called before events are written; what it throws, the write fails with. */
  beforeWrite: (events: readonly Recorded<TestEvent>[]) => void | Promise<void>;
  /** Whether the store takes a write that changes nothing; it is asked unless given. */
  acceptsWrites?: () => Promise<boolean>;
  /** What events have left to do; nothing unless given. */
  maintenance?: Maintenance;
  /** Told of each batch whether it has to give way to questions. */
  onBatch?: (givesWay: boolean) => void;
}

/** Real servers, and streams and databases that each test has for itself. */
async function startBench() {
  const stack: Stack = await startTestStack({ servers: ['nats', 'mongod'] });
  const client = await new MongoClient(stack.mongodbUrl).connect();
  const connections: NatsConnection[] = [];
  let made = 0;
  const connectTo = async () => {
    const connection = await connect({ servers: stack.natsUrl, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    connections.push(connection);
    return connection;
  };
  return {
    open: async () => {
      made += 1;
      const number = made;
      const stream = `T${number}`;
      const connection = await connectTo();
      await ensureStream(connection, { name: stream, subjects: [`${stream}.>`], replicas: 1 });
      const store = connectEventStore({ connection, stream, catalog, source: 'test' });
      return { stack, client, connectTo, connection, stream, store, db: client.db(`read_models_${number}`) };
    },
    stop: async () => {
      for (const connection of connections) await connection.close();
      await client.close();
      await stack.stop();
    },
  };
}

type Bench = Awaited<ReturnType<typeof startBench>>;

/** A system for the tests of a file or of a `describe`: the same servers, and for each test a stream and a database of its own. */
export function useTestSystem(): TestSystem {
  let bench: Bench;
  const system = new TestSystem();
  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench?.stop());
  beforeEach(async () => system.open(await bench.open()));
  afterEach(() => system.stop());
  return system;
}

/** Tests that get such a system each, so that those that mostly wait can run side by side: `it.concurrent`. */
export const it = baseIt
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what the fixture uses.
  .extend('servers', { scope: 'file' }, async ({}, { onCleanup }) => {
    const servers = await startBench();
    onCleanup(servers.stop);
    return servers;
  })
  .extend('system', async ({ servers }, { onCleanup }) => {
    const parts = await servers.open();
    // Instances find each other by the name, on one NATS server: those of the tests beside must not answer for these.
    const system = new TestSystem(`sums-${parts.stream}`);
    system.open(parts);
    onCleanup(() => system.stop());
    return system;
  });

/** A stream, a database, and instances of a read model of sums over them. */
export class TestSystem {
  parts!: Awaited<ReturnType<Bench['open']>>;
  faults: Faults = { beforeWrite: () => undefined };
  /** Of the read model. */
  readonly name: string;
  readonly #running: ReadModel<TestEvent, SumRows>[] = [];

  constructor(name = 'sums') {
    this.name = name;
  }

  open(parts: typeof this.parts): void {
    this.parts = parts;
    this.faults = { beforeWrite: () => undefined };
  }

  /** The definition of the read model. @param change what is different from usual; a form may change while it runs */
  definition(change: Partial<ReadModelDefinition<TestEvent, SumRows>> = {}): ReadModelDefinition<TestEvent, SumRows> {
    const { stream, db } = this.parts;
    const aggregateOf = ({ subject }: { subject: string }) => subject.split('.')[1];
    const usual: ReadModelDefinition<TestEvent, SumRows> = {
      name: this.name,
      form: '1',
      stream,
      catalog,
      types: ['Counted', 'Noted', 'Ended'],
      supersedingTypes: ['Ended'],
      lanes: { count: 4, aggregateOf, laneOf: (aggregate) => aggregate.charCodeAt(0) % 4 },
      store: (version) => sumStore(db, version, this.faults),
    };
    return Object.defineProperties(usual, Object.getOwnPropertyDescriptors(change));
  }

  async start(
    change: Partial<ReadModelDefinition<TestEvent, SumRows>> = {},
    // Tests ask at once, also on a slow machine.
    startWaitMs = 60_000,
    isAside = () => false,
  ): Promise<ReadModel<TestEvent, SumRows>> {
    const { connection, client, db } = this.parts;
    const deps = { connection, client, db, isAside, logger };
    const readModel = await ReadModel.start(deps, this.definition(change), startWaitMs);
    this.#running.push(readModel);
    return readModel;
  }

  /** The same, with an event applied that makes the sum of `a` 5. */
  async startAtFive(change?: Partial<ReadModelDefinition<TestEvent, SumRows>>): Promise<ReadModel<TestEvent, SumRows>> {
    const readModel = await this.start(change);
    if (!(await readModel.await(await this.count('a', 5), 30_000)))
      throw new Error('The event was not applied in time');
    return readModel;
  }

  /** Appends a number to an aggregate; returns its sequence. */
  count(aggregate: string, n: number): Promise<number> {
    return this.append(aggregate, { type: 'Counted', data: { n } });
  }

  async append(aggregate: string, event: TestEvent): Promise<number> {
    const { store, stream } = this.parts;
    return (await store.append(`${stream}.${aggregate}`, [event], 'any', context)).sequence;
  }

  /**
   * Appends many large events to an aggregate, and damages the first file of the stream: none of its events can be read then.
   * @returns the first one that can, and the last one
   */
  async damage(aggregate: string): Promise<{ first: number; last: number }> {
    const { connection, stack, stream } = this.parts;
    let last = 0;
    for (let n = 1; n <= 40; n += 1) {
      last = await this.append(aggregate, { type: 'Noted', data: { text: randomBytes(150_000).toString('hex') } });
    }
    await damageFile(stack, stream);
    const log = openLog(connection, stream);
    await waitUntil(async () => (await messageAt(log, last).catch(() => undefined)) !== undefined);
    let first = last;
    while (await messageAt(log, first - 1)) first -= 1;
    if (first < 2) throw new Error('Nothing is damaged');
    return { first, last };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((readModel) => readModel.stop()));
  }
}

function sumStore(db: Db, version: number, faults: Faults) {
  const sums = db.collection<SumRow>(`sums@${version}`);
  const name = sums.collectionName;
  const createIndexes = async () => void (await sums.createIndex({ sum: 1 }));
  return {
    contents: { sums },
    create: async () => {
      await sums.drop();
      await db.createCollection(name);
      await createIndexes();
    },
    createIndexes,
    identity: () => mongoIdentity(db, [name]),
    apply: async ({ events, giveWay }: Batch<TestEvent>, commit: Commit) => {
      faults.onBatch?.(giveWay !== undefined);
      await faults.beforeWrite(events);
      await commit(Number.POSITIVE_INFINITY, async (session) => {
        for (const event of events) {
          const _id = event.subject.split('.')[1] ?? '';
          const { sequence } = event.position;
          const n = event.type === 'Counted' ? event.data.n : 0;
          if (event.type === 'Ended') await sums.deleteOne({ _id }, { session });
          else
            await sums.updateOne(
              { _id },
              { $inc: { sum: n }, $push: { sequences: sequence } },
              { session, upsert: true },
            );
        }
      });
    },
    maintenance: {
      isDue: (lane) => faults.maintenance?.isDue(lane) ?? false,
      step: async (lane, commit, giveWay) => faults.maintenance?.step(lane, commit, giveWay),
    } satisfies Maintenance,
    acceptsWrites: async () => (await faults.acceptsWrites?.()) ?? acceptsMongoWrites(db),
    count: () => sums.countDocuments(),
    drop: async () => void (await sums.drop()),
  };
}

/** The sum of an aggregate, as the version that answers has it. */
export const sumOf = async (readModel: ReadModel<TestEvent, SumRows>, aggregate: string) =>
  (await readModel.contents().sums.findOne({ _id: aggregate }))?.sum;
