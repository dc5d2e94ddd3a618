import { setTimeout as pause } from 'node:timers/promises';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { switchLive } from '../mongo/read-model-version.ts';
import { addVersion, forgetVersion, servedVersion, type Versions, versionsBefore } from './versions.ts';

let stack: Stack;
let mongo: MongoClient;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
  mongo = await new MongoClient(stack.mongodbUrl).connect();
}, 120_000);
afterAll(async () => {
  await mongo.close();
  await stack.stop();
});

const named = (name: string, form = 1): Versions => ({ db: mongo.db('test'), name, form });
const atOnce = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, ask));

it('instances that start one right after the other, where nothing is yet, serve the same version', async () => {
  for (let round = 0; round < 50; round += 1) {
    const versions = named(`round-${round}`);
    const starts = Array.from({ length: 10 }, (_, index) => pause(index / 2).then(() => servedVersion(versions)));
    expect(new Set(await Promise.all(starts))).toEqual(new Set([1]));
    expect(await versionsBefore(versions, 10)).toEqual([1]);
  }
});

it('an instance of another form gets a version of its own, and the old one its own again', async () => {
  const [old, young] = [named('forms', 1), named('forms', 2)];
  expect([await servedVersion(old), await servedVersion(young), await servedVersion(old)]).toEqual([1, 2, 1]);
  await switchLive(old.db, old.name, undefined, 2);
  expect([await servedVersion(young), await servedVersion(old)]).toEqual([2, 1]);
});

it('versions that are added at once have different numbers, none of them used before', async () => {
  const versions = named('added');
  await switchLive(versions.db, versions.name, undefined, 7);
  const added = await atOnce(() => addVersion(versions, 3));
  expect(added.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => 8 + index));
  await forgetVersion(versions, 27);
  expect(await servedVersion(versions)).toBe(26);
});
