import { mongoCheckpoints, switchLive } from '@mneme/event-store';
import { createLogger } from '@mneme/service-kit';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startStores } from '../testing/read-model.ts';
import { memoryReadModel, openReadModel, type ReadModelStores } from './open-read-model.ts';
import { dropRetired, retireVersions } from './retire-versions.ts';
import { serveLive } from './serve-live.ts';
import { markRetired, versionFor } from './versions.ts';

type Stores = Awaited<ReturnType<typeof startStores>>;

const logger = createLogger({ service: 'test', level: 'silent' });
const caughtUp = () => Promise.resolve();

let started: Stores;
let stores: ReadModelStores;
let db: Db;

beforeAll(async () => {
  started = await startStores();
});
afterAll(() => started?.stop());
beforeEach(async () => {
  ({ db } = await started.open());
  stores = { db, qdrant: started.qdrant, embeddings: started.embeddings };
});

/** Makes the version of a form, as a start does. */
async function open(form: number) {
  const version = await versionFor(db, memoryReadModel, form, stores.embeddings.name);
  await mongoCheckpoints(db).read({ name: memoryReadModel, version });
  return openReadModel(stores, version);
}

/** The versions of which anything is left, in MongoDB, among the checkpoints, and in Qdrant. */
async function left() {
  const rows = await db.listCollections({}, { nameOnly: true }).toArray();
  const { collections } = await stores.qdrant.getCollections();
  const own = collections.filter(({ name }) => name.startsWith(`${db.databaseName}_units_`));
  const checkpoints = await mongoCheckpoints(db).findBehind(memoryReadModel, 1);
  return {
    rows: distinct(rows.flatMap(({ name }) => /@(\d+)$/.exec(name)?.[1] ?? [])),
    vectors: distinct(own.flatMap(({ name }) => /_units_(\d+)_/.exec(name)?.[1] ?? [])),
    checkpoints: distinct(checkpoints.map(String)),
  };
}

const distinct = (numbers: readonly string[]) => [...new Set(numbers.map(Number))].sort((a, b) => a - b);
const all = (...versions: number[]) => ({ rows: versions, vectors: versions, checkpoints: versions });

it('takes everything of the other versions out, and their numbers stand for nothing any more', async () => {
  for (const form of [1, 2, 3]) await open(form);
  expect(await left()).toEqual(all(1, 2, 3));
  expect(await retireVersions(stores, [2, 3])).toEqual([1]);
  expect(await left()).toEqual(all(2, 3));
  expect((await open(1)).version).toBe(4);
});

it('leaves a version alone that an instance fills', async () => {
  for (const form of [1, 2, 3]) await open(form);
  const lease = { _id: `${memoryReadModel}@1` as never, holder: 'other', expiresAt: new Date(Date.now() + 60_000) };
  await db.collection('projection_leases').insertOne(lease);
  expect(await retireVersions(stores, [3])).toEqual([2]);
  expect(await left()).toEqual(all(1, 3));
});

it('goes on where it was cut off, and nobody takes what is half gone for whole', async () => {
  const { collections } = await open(1);
  await open(2);
  await markRetired(db, memoryReadModel, [1]);
  await collections.units.drop();
  expect((await open(1)).version).toBe(3);
  expect(await dropRetired(stores)).toEqual([1]);
  expect(await left()).toEqual(all(2, 3));
});

it('keeps the version before the live one to go back to, in both directions', async () => {
  await open(1);
  await open(2);
  await switchLive(db, memoryReadModel, undefined, 2);
  const forth = await serveLive(stores, await open(3), caughtUp, logger);
  await vi.waitFor(async () => expect(await left()).toEqual(all(2, 3)), 10_000);
  expect(forth.current().version).toBe(3);
  const back = await serveLive(stores, await open(2), caughtUp, logger);
  await vi.waitFor(() => expect(back.current().version).toBe(2), 10_000);
  expect(await left()).toEqual(all(2, 3));
});

it('lets all instances that filled a version switch to it', async () => {
  await open(1);
  await switchLive(db, memoryReadModel, undefined, 1);
  const filling = await open(2);
  const both = await Promise.all([1, 2].map(() => serveLive(stores, filling, caughtUp, logger)));
  await vi.waitFor(() => expect(both.map((live) => live.current().version)).toEqual([2, 2]), 10_000);
});
