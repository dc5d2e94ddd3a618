import type { AccessEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { useTestMongo } from '@mneme/read-models/testing';
import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { eventTime, newKey, recorded } from '../testing/key-events.ts';
import { aggregateOf, writesOf } from './projection.ts';
import { accessCollections } from './rows.ts';

const mongo = useTestMongo();
let version = 0;

type Rows = Record<string, Document & { readonly _id: number | string }>;

const createdAt = new Date(eventTime);
const key = newKey({ keyId: 9, spaceId: 3, projectId: 5, userId: 1, rateLimit: 10, keyHash: 'a', keyPrefix: 'sk-a' });
const joined: AccessEvent = { type: 'UserJoined', data: { userId: 1, spaceId: 3, projectId: 5 } };
const space: AccessEvent = {
  type: 'SpaceCreated',
  data: { spaceId: 3, name: 'Space', spaceType: 'team', ownerId: 1 },
};
const project: AccessEvent = {
  type: 'ProjectCreated',
  data: { projectId: 5, spaceId: 3, name: 'Default', createdBy: 1 },
};
const issued: AccessEvent = { type: 'KeyIssued', data: key };
const changed: AccessEvent = {
  type: 'KeyChanged',
  data: { keyId: 9, keyHash: 'a', name: 'Other', scopes: [], rateLimit: 5, isActive: false },
};
const regenerated: AccessEvent = {
  type: 'KeyRegenerated',
  data: { keyId: 9, keyHash: 'b', keyPrefix: 'sk-b', replacedKeyHash: 'a', commandId: 'd' },
};
const revoked: AccessEvent = { type: 'KeyRevoked', data: { keyId: 9, keyHash: 'b' } };

/** The rows after the events were applied, in a version of their own. */
async function given(events: readonly Recorded<AccessEvent>[]) {
  version += 1;
  const rows = accessCollections(mongo.client.db('test'), version);
  for (const event of events) await mongo.client.bulkWrite<Rows>(writesOf(rows, event));
  const [users, spaces, projects, keyStorages, keys] = await Promise.all([
    rows.users.find().toArray(),
    rows.spaces.find().toArray(),
    rows.projects.find().toArray(),
    rows.keyStorages.find().toArray(),
    rows.keys.find().toArray(),
  ]);
  return { users, spaces, projects, keyStorages, keys };
}

const { keyId: _id, commandId, ...stored } = key;
const keyRow = { _id, ...stored, isActive: true, createdAt };

it('has a row for each user, space, project, key and key storage', async () => {
  expect(await given(recorded(joined, space, project, issued))).toEqual({
    users: [{ _id: 1, spaceId: 3, projectId: 5 }],
    spaces: [{ _id: 3, name: 'Space', type: 'team', ownerId: 1, createdAt, sequence: 2 }],
    projects: [{ _id: 5, spaceId: 3, name: 'Default', createdAt }],
    keyStorages: [{ _id: 3 }],
    keys: [keyRow],
  });
});

it('a key changes, gets a new secret, and is gone when it is revoked; its storage stays', async () => {
  const afterwards = {
    name: 'Other',
    scopes: [],
    rateLimit: 5,
    isActive: false,
    keyHash: 'b',
    keyPrefix: 'sk-b',
    oldKeyUntil: null,
  };
  expect((await given(recorded(issued, changed, regenerated))).keys).toEqual([{ ...keyRow, ...afterwards }]);
  const { keys, keyStorages } = await given(recorded(issued, regenerated, revoked));
  expect([keys, keyStorages]).toEqual([[], [{ _id: 3 }]]);
});

it('events of different aggregates make the same rows in any order', async () => {
  const log = recorded(space, issued);
  expect(await given(log.toReversed())).toEqual(await given(log));
});

it.each([
  ['access.user.1', 'access.user.1'],
  ['access.key.9', 'access.key.9'],
  ['access.numbers.key', undefined],
  ['access.command.0123', undefined],
])('%s belongs to %s', (subject, aggregate) => {
  expect(aggregateOf({ subject })).toBe(aggregate);
});
