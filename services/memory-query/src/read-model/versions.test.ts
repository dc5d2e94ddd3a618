import { switchLive } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { embeddingModelOf, versionFor } from './versions.ts';

let stack: Stack;
let client: MongoClient;
let db: Db;
let opened = 0;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
  client = await new MongoClient(stack.mongodbUrl).connect();
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
});
beforeEach(() => {
  opened += 1;
  db = client.db(`test_${opened}`);
});

it('gives each form and embedding model a number of its own, and the same again', async () => {
  expect(await versionFor(db, 'memory', 1, 'a')).toBe(1);
  expect(await versionFor(db, 'memory', 1, 'b')).toBe(2);
  expect(await versionFor(db, 'memory', 2, 'b')).toBe(3);
  expect(await versionFor(db, 'memory', 1, 'a')).toBe(1);
  expect(await embeddingModelOf(db, 'memory', 2)).toBe('b');
  expect(await embeddingModelOf(db, 'memory', 9)).toBeUndefined();
});

it('gives instances that start together the same number', async () => {
  const numbers = await Promise.all([1, 2, 3, 4].map(() => versionFor(db, 'memory', 1, 'a')));
  expect(new Set(numbers)).toEqual(new Set([1]));
});

it('takes no number that was live before numbers were written down', async () => {
  await switchLive(db, 'memory', undefined, 1);
  expect(await versionFor(db, 'memory', 2, 'a')).toBe(2);
});
