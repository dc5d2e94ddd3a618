import { type Stack, startTestStack } from '@mneme/local-stack';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mongoLease } from './mongo/lease.ts';
import { mongoCheckpoints } from './mongo/mongo-checkpoints.ts';
import { mongoProjection } from './mongo/mongo-projection.ts';
import { liveVersion, switchLive } from './mongo/read-model-version.ts';
import { runLeasedProjection } from './mongo/run-leased-projection.ts';
import { runProjection } from './projection/run-projection.ts';
import { createReadModel, memoryProjection } from './testing/memory-projection.ts';
import { type ProjectionUnderTest, projectionContract, recorded } from './testing/projection-contract.ts';
import { catalog, context, countedTo, logger, openTestLog, type TestEvent } from './testing/test-log.ts';
import { waitUntil } from './testing/wait-until.ts';

let stack: Stack;
let client: MongoClient;
let databases = 0;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats', 'mongod'] });
  client = new MongoClient(stack.mongodbUrl);
});
afterAll(async () => {
  await client.close();
  await stack.stop();
});

function newDb(): Db {
  databases += 1;
  return client.db(`test-${databases}`);
}

interface Row {
  readonly _id: number;
  readonly n: number;
}

/** A read model with one row per event; rows are inserted, so that applying an event twice fails. */
function rowsProjection(db: Db, version = 1, beforeWrite = () => undefined as unknown) {
  const rows = db.collection<Row>(`rows@${version}`);
  const projection = mongoProjection<TestEvent, Row[]>({
    client,
    db,
    name: 'rows',
    version,
    types: ['Counted'],
    prepare: async (events) =>
      events.map(({ position, data }) => ({ _id: position.sequence, n: (data as { n: number }).n })),
    write: async (documents, session) => {
      await rows.insertMany(documents, { session });
      await beforeWrite();
    },
  });
  const written = async () => (await rows.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  return { projection, written };
}

async function mongoUnderTest(): Promise<ProjectionUnderTest> {
  const db = newDb();
  let isFailing = false;
  const beforeWrite = () => {
    if (!isFailing) return;
    isFailing = false;
    throw new Error('told to fail');
  };
  return {
    projector: () => rowsProjection(db, 1, beforeWrite).projection,
    written: rowsProjection(db).written,
    failNextWrite: () => {
      isFailing = true;
    },
  };
}

async function memoryUnderTest(): Promise<ProjectionUnderTest> {
  const model = createReadModel();
  return {
    projector: () => memoryProjection(model),
    written: async () => model.applied.map((event) => event.position.sequence),
    failNextWrite: () => {
      model.beforeApply = () => {
        model.beforeApply = () => undefined;
        throw new Error('told to fail');
      };
    },
  };
}

projectionContract('mongoProjection', mongoUnderTest);
projectionContract('the projection of these tests', memoryUnderTest);

describe('mongoProjection', () => {
  it('prepares outside the transaction, and only for events', async () => {
    const db = newDb();
    const calls: string[] = [];
    const projection = mongoProjection<TestEvent, string>({
      client,
      db,
      name: 'prepared',
      version: 1,
      prepare: async (events) => `${calls.push('prepare')} of ${events.length}`,
      write: async (plan, session) => void calls.push(`write ${plan} ${session.inTransaction()}`),
    });
    await projection.readPosition();
    await projection.apply([], { from: 0, to: 1 });
    await projection.apply([recorded(2)], { from: 1, to: 2 });
    expect(calls).toEqual(['prepare', 'write 1 of 1 true']);
  });

  it('is filled once and in order by two projectors, with mongod killed and restarted in the middle', async () => {
    await using log = await openTestLog(stack);
    const db = newDb();
    const { projection, written } = rowsProjection(db);
    const options = { connection: log.connection, stream: log.stream, catalog, projection, maxBatch: 20, logger };
    const projectors = [await runProjection(options), await runProjection(options)];
    const append = () => log.store.append(`${log.stream}.a`, countedTo(200), 'any', context);
    await append();
    await waitUntil(() => (projectors[0]?.position() ?? 0) > 40);
    await stack.servers.mongod.kill();
    await append();
    await stack.servers.mongod.start();
    const { sequence } = await append();
    await waitUntil(async () => (await mongoCheckpoints(db).read(projection)) === sequence, 40_000);
    expect(await written()).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    await Promise.all(projectors.map((projector) => projector.stop()));
  });
});

describe('versions of a read model', () => {
  it('are filled side by side and switched in one step, forth and back', async () => {
    await using log = await openTestLog(stack);
    const db = newDb();
    await log.store.append(`${log.stream}.a`, countedTo(10), 0, context);
    expect(await liveVersion(db, 'rows')).toBeUndefined();
    await switchLive(db, 'rows', undefined, 1);
    const [old, next] = [rowsProjection(db, 1), rowsProjection(db, 2)];
    for (const { projection } of [old, next]) {
      const running = await runProjection({ ...log, catalog, projection, logger });
      await running.caughtUp();
      await running.stop();
    }
    expect(await old.written()).toEqual(await next.written());
    await switchLive(db, 'rows', 1, 2);
    expect(await liveVersion(db, 'rows')).toBe(2);
    await expect(switchLive(db, 'rows', 1, 3)).rejects.toThrow('rows@1 is not live');
    await expect(switchLive(db, 'rows', undefined, 3)).rejects.toThrow('is not live');
    await switchLive(db, 'rows', 2, 1);
    expect(await liveVersion(db, 'rows')).toBe(1);
  });

  it('can be started over', async () => {
    const db = newDb();
    const checkpoints = mongoCheckpoints(db);
    const key = { name: 'rows', version: 1 };
    await checkpoints.read(key);
    await checkpoints.advance(key, { from: 0, to: 5 });
    await checkpoints.reset(key);
    expect(await checkpoints.read(key)).toBe(0);
  });

  it('can be retired: nobody moves it any more, and it stays where it was', async () => {
    const checkpoints = mongoCheckpoints(newDb());
    const [known, unknown] = [1, 2].map((version) => ({ name: 'rows', version }) as const);
    if (!known || !unknown) throw new Error('There are no keys');
    await checkpoints.read(known);
    await checkpoints.advance(known, { from: 0, to: 5 });
    for (const [key, position] of [[known, 5] as const, [unknown, 0] as const]) {
      await checkpoints.retire(key);
      expect(await checkpoints.read(key)).toBe(position);
      const moving = checkpoints.advance(key, { from: position, to: position + 1 });
      await expect(moving).rejects.toMatchObject({ name: 'FencedError' });
    }
  });
});

describe('a projection under a lease', () => {
  it('runs in one instance, is followed by the others, and is taken over', async () => {
    await using log = await openTestLog(stack);
    const db = newDb();
    const { projection, written } = rowsProjection(db);
    const options = { ...log, catalog, projection, logger, db, leaseMs: 300 };
    const first = await runLeasedProjection(options);
    await waitUntil(async () => (await log.store.head()) === first.position());
    const second = await runLeasedProjection(options);
    const append = async () => (await log.store.append(`${log.stream}.a`, countedTo(10), 'any', context)).sequence;

    const before = await append();
    expect(await Promise.all([first.await(before, 5_000), second.await(before, 5_000)])).toEqual([true, true]);
    await first.stop();
    const after = await append();
    expect(await second.await(after, 5_000)).toBe(true);
    expect(await written()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await second.caughtUp();
    expect(second.isLive()).toBe(true);
    await second.stop();
  });

  it('belongs to one holder until it is given back or has run out', async () => {
    const db = newDb();
    const [one, two] = [mongoLease({ db, name: 'l', ttlMs: 200 }), mongoLease({ db, name: 'l', ttlMs: 60_000 })];
    expect([await one.renew(), await two.renew(), await one.renew()]).toEqual([true, false, true]);
    await waitUntil(() => two.renew());
    expect(await one.renew()).toBe(false);
    await one.release();
    expect(await one.renew()).toBe(false);
    await two.release();
    expect(await one.renew()).toBe(true);
  });
});
