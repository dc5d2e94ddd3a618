import type { AccessEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aggregateOf } from './projection.ts';
import { writesOf } from './row-writes.ts';
import { accessCollections } from './rows.ts';

let stack: Stack;
let client: MongoClient;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
  client = await new MongoClient(stack.mongodbUrl).connect();
}, 120_000);
afterAll(async () => {
  await client.close();
  await stack.stop();
});

type Rows = Record<string, Document & { readonly _id: number | string }>;

const key = {
  ...{ keyId: 9, spaceId: 3, projectId: 5, userId: 1, name: 'Assistant', scopes: ['*'], rateLimit: 10 },
  ...{ keyHash: 'a', keyPrefix: 'sk-a', expiresAt: null, agentId: null, commandId: 'c' },
};
const space: AccessEvent = {
  type: 'SpaceCreated',
  data: { spaceId: 3, name: 'Space', spaceType: 'team', ownerId: 1 },
};
const log = ([space, { type: 'KeyIssued', data: key }] as const).map((event, index) => ({
  ...{ ...event, time: '2026-01-01T00:00:00.000Z', position: { stream: 'ACCESS', sequence: index + 1 } },
})) as unknown as Recorded<AccessEvent>[];

it('events of different aggregates make the same rows in any order, so that one can be applied late', async () => {
  const rowsAfter = async (events: readonly Recorded<AccessEvent>[], version: number) => {
    const rows = accessCollections(client.db('test'), version);
    for (const event of events) await client.bulkWrite<Rows>(writesOf(rows, event));
    return Promise.all([rows.spaces.find().toArray(), rows.keyStorages.find().toArray(), rows.keys.find().toArray()]);
  };
  const inOrder = await rowsAfter(log, 1);
  expect(inOrder.map((rows) => rows.length)).toEqual([1, 1, 1]);
  expect(await rowsAfter(log.toReversed(), 2)).toEqual(inOrder);
  const [spaces] = await rowsAfter(log.slice(1), 3);
  expect(spaces).toEqual([]);
});

it.each([
  ['access.user.1', 'access.user.1'],
  ['access.key.9', 'access.key.9'],
  ['access.numbers.key', undefined],
  ['access.command.0123', undefined],
])('%s belongs to %s', (subject, aggregate) => {
  expect(aggregateOf({ subject })).toBe(aggregate);
});
