import { setTimeout as pause } from 'node:timers/promises';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLeased } from '../mongo/lease.ts';
import { mongoProjection } from '../mongo/mongo-projection.ts';
import { catalog, context, counted, countedTo, logger, openTestLog, type TestEvent } from '../testing/test-log.ts';
import { LiveReadModel } from './live-read-model.ts';
import type { ReadModelForm } from './read-model-form.ts';

/** In which an instance would have filled ten rows many times over, in milliseconds. */
const quietMs = 1_000;

let stack: Stack;
let client: MongoClient;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats', 'mongod'] });
  client = await new MongoClient(stack.mongodbUrl).connect();
}, 120_000);
afterAll(async () => {
  await client.close();
  await stack.stop();
});

type Rows = { readonly rows: Collection<{ _id: number }> };

/** A row for each event. */
function formOf(stream: string): ReadModelForm<TestEvent, Rows> {
  const collections = (db: Db, version: number) => ({ rows: db.collection<{ _id: number }>(`rows@${version}`) });
  return {
    ...{ name: 'rows', form: 1, stream, catalog, collections },
    createIndexes: async ({ rows }) => void (await rows.createIndex({ _id: 1 })),
    projection: (mongo, db, version) =>
      mongoProjection<TestEvent, { _id: number }[]>({
        ...{ client: mongo, db, name: 'rows', version },
        prepare: async (events) => events.map(({ position }) => ({ _id: position.sequence })),
        write: async (rows, session) => void (await collections(db, version).rows.insertMany(rows, { session })),
      }),
  };
}

it('what is taken out by one instance is not filled again by another that still was at it', async () => {
  await using log = await openTestLog(stack);
  const db = client.db('live');
  const { connection, stream, store } = log;
  const start = () => LiveReadModel.start({ connection, client, db, logger }, formOf(stream));
  const subject = `${stream}.a`;
  await store.append(subject, countedTo(10), 'any', context);
  const [first, second] = [await start(), await start()];
  // Faster than the other instance notices.
  await first.rebuild();
  const { version } = await first.rebuild();
  expect(version).toBe(3);
  // It takes over the version that the first one has left, which is no more.
  await expect.poll(() => isLeased(db, 'rows@1'), { timeout: 10_000 }).toBe(true);
  const { sequence } = await store.append(subject, [counted(11)], 'any', context);
  await expect.poll(() => second.collections().rows.collectionName, { timeout: 10_000 }).toBe('rows@3');
  expect(await Promise.all([first, second].map((model) => model.await(sequence, 10_000)))).toEqual([true, true]);
  await pause(quietMs);
  const names = (await db.listCollections({ name: /^rows@/ }).toArray()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['rows@2', 'rows@3']);
  expect(await first.collections().rows.countDocuments()).toBe(11);
  await Promise.all([first.stop(), second.stop()]);
});

it('what an instance has waited for is there, also when another version answers right afterwards', async () => {
  await using log = await openTestLog(stack);
  const db = client.db('switched');
  const { connection, stream, store } = log;
  const start = () => LiveReadModel.start({ connection, client, db, logger }, formOf(stream));
  const model = await start();
  const missing: string[] = [];
  const look = async () => {
    const { sequence: _id } = await store.append(`${stream}.a`, [counted(1)], 'any', context);
    if (!(await model.await(_id, 10_000))) throw new Error('The read model is behind');
    // As long as other things may take that a request waits for.
    for (let looks = 0; looks < 20; looks += 1) {
      const { rows } = model.collections();
      if (!(await rows.findOne({ _id }))) missing.push(`${_id} in ${rows.collectionName}`);
    }
  };
  for (let round = 0; round < 5; round += 1) {
    const other = await start();
    const { version } = await other.rebuild();
    await other.stop();
    while (model.collections().rows.collectionName !== `rows@${version}`) await look();
    await look();
  }
  expect(missing).toEqual([]);
  await model.stop();
});
