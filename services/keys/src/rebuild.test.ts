import { randomUUID } from 'node:crypto';
import { accessBuckets, accessStream, bucketCheckpoint, keys } from '@mneme/contracts';
import { openBucket } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markOf } from './key/commands.ts';
import { type KeysFixture, useKeysFixture } from './testing/keys-fixture.ts';

const fixture = useKeysFixture();
let service: Awaited<ReturnType<KeysFixture['start']>>;
beforeEach(async () => {
  service = await fixture.start();
});
afterEach(() => service.stop());

const keep = { name: null, scopes: null, isActive: null, rateLimit: null };

/** A user with a key for each kind of event. */
async function history() {
  const user = await fixture.newUser();
  const [plain, changed, regenerated, revoked] = await Promise.all(
    ['plain', 'changed', 'regenerated', 'revoked'].map((name) => fixture.createKey(user, { name, agentId: name })),
  );
  if (!plain || !changed || !regenerated || !revoked) throw new Error('There are no keys');
  await fixture.call(keys.updateKey, { ...user, ...keep, keyId: changed.id, isActive: false, rateLimit: 3 });
  await fixture.call(keys.regenerateKey, { ...user, keyId: regenerated.id, commandId: randomUUID() });
  await fixture.call(keys.revokeKey, { ...user, keyId: revoked.id });
  return { ...user, plain, changed, regenerated, revoked };
}

/** The same, one of whose keys has been used, and what is listed. */
async function usedKeys() {
  const user = await history();
  await fixture.use(user.plain.key, 7, '2026-01-01T00:00:07.000Z');
  const listed = () => fixture.call(keys.listKeys, user);
  const counts = async () => (await listed()).map(({ request_count }) => request_count);
  await expect.poll(counts, { timeout: 10_000 }).toContain(7);
  return { user, listed, before: await listed() };
}

const rebuild = () => fixture.call(keys.rebuild, {});

async function recordsOf(name: 'api-keys' | 'space-owners') {
  const { [bucketCheckpoint]: _, ...records } = await fixture.entriesOf(name);
  return records;
}

/** The rows of the version that answers. */
async function rowsOf(name: string) {
  const roles = await fixture.db.collection<{ _id: string; live: number }>('read_models').findOne({});
  return fixture.db.collection(`access_${name}@${roles?.live}`);
}

async function derived() {
  const stored = async (name: string) => (await rowsOf(name)).find().sort({ _id: 1 }).toArray();
  const [apiKeys, spaceOwners] = await Promise.all([recordsOf('api-keys'), recordsOf('space-owners')]);
  const rows = await Promise.all(['users', 'spaces', 'projects', 'key_storages', 'keys'].map(stored));
  return { apiKeys, spaceOwners, rows };
}

it('reproduces the rows and records, and reports that no record had to change', async () => {
  await history();
  const before = await derived();
  const { readModel, apiKeys, spaceOwners } = await rebuild();
  expect([apiKeys.changed, spaceOwners.changed]).toEqual([0, 0]);
  expect(apiKeys.records).toBe(Object.keys(before.apiKeys).length);
  expect(readModel.rows).toBe(before.rows.flat().length);
  expect(await derived()).toEqual(before);
  expect((await rebuild()).readModel.version).toBe(readModel.version + 1);
  expect(await derived()).toEqual(before);
});

it('repairs records that were changed in a bucket, and removes records that are not of this log', async () => {
  const { plain, changed, revoked } = await history();
  const before = await derived();
  const bucket = await openBucket(fixture.connection, { ...accessBuckets.apiKeys, replicas: 1 });
  const [lost, wider, forged] = [plain.key, changed.key, revoked.key].map((key) => markOf(key).keyHash);
  await bucket.delete(String(lost));
  await bucket.put(String(wider), JSON.stringify({ ...(await fixture.keyRecord(changed.key)), state: 'active' }));
  const beyond = { ...(await fixture.keyRecord(revoked.key)), state: 'active', sequence: 1_000_000 };
  await bucket.put(String(forged), JSON.stringify(beyond));
  await bucket.put('f'.repeat(64), JSON.stringify(beyond));
  await bucket.put('0'.repeat(64), 'no record');
  expect((await rebuild()).apiKeys.changed).toBe(5);
  expect(await derived()).toEqual(before);
});

it('answers requests meanwhile, and loses no change', async () => {
  const user = await history();
  let isDone = false;
  const rebuilding = rebuild().finally(() => {
    isDone = true;
  });
  const made: string[] = [];
  while (!isDone) {
    const { key } = await fixture.createKey(user);
    made.push(key);
    expect((await fixture.call(keys.listKeys, user)).length).toBe(3 + made.length);
    expect((await fixture.keyRecord(user.plain.key))?.state).toBe('active');
  }
  await rebuilding;
  expect(made.length).toBeGreaterThan(0);
  for (const key of made) expect((await fixture.keyRecord(key))?.state).toBe('active');
  const before = await derived();
  expect((await rebuild()).apiKeys.changed).toBe(0);
  expect(await derived()).toEqual(before);
});

it('is followed by other instances', async () => {
  const other = await fixture.start();
  const user = await history();
  const { version } = (await rebuild()).readModel;
  await service.stop();
  await fixture.createKey(user);
  expect(await fixture.call(keys.listKeys, user)).toHaveLength(4);
  const rows = fixture.db.collection(`access_keys@${version}`);
  await expect.poll(() => rows.countDocuments({ spaceId: user.spaceId }), { timeout: 15_000 }).toBe(4);
  await other.stop();
});

it('a bucket that is dropped while the service runs is filled by the next command', async () => {
  const user = await history();
  const before = await derived();
  const manager = await jetstreamManager(fixture.connection);
  await manager.streams.delete(`KV_${accessBuckets.apiKeys.name}`);
  const { key } = await fixture.createKey(user);
  const { [markOf(key).keyHash]: added, ...others } = (await derived()).apiKeys;
  expect(others).toEqual(before.apiKeys);
  expect(added).toMatchObject({ state: 'active' });
});

it('rows that were dropped are filled when the service starts, usage among them', async () => {
  const { user, listed, before } = await usedKeys();
  await service.stop();
  await fixture.db.dropDatabase();
  service = await fixture.start();
  await expect.poll(listed, { timeout: 10_000 }).toEqual(before);
  const usedIds = [user.plain, user.changed, user.regenerated, user.revoked].map(({ id }) => id);
  expect((await fixture.createKey(user)).id).toBeGreaterThan(Math.max(...usedIds));
});

it('rows that are dropped while the service runs come back by a rebuild', async () => {
  const { user, listed, before } = await usedKeys();
  await fixture.db.dropDatabase();
  expect((await rebuild()).keyUsage).toBeGreaterThan(0);
  expect(await listed()).toEqual(before);
  await fixture.createKey(user);
  expect(await listed()).toHaveLength(4);
});

it('makes indexes again at a start that somebody has dropped', async () => {
  const rows = await rowsOf('keys');
  const names = async () => (await rows.indexes()).map(({ name }) => name).toSorted();
  const before = await names();
  await service.stop();
  await rows.dropIndexes();
  service = await fixture.start();
  await expect.poll(names).toEqual(before);
  expect(before.length).toBeGreaterThan(1);
});

it.each([
  ['keys', () => rowsOf('keys')],
  ['their usage by hour', () => fixture.db.collection('access_key_usage_hours')],
  ['events that wait', () => fixture.db.collection('read_model_deferrals')],
])('starts beside an index of another name that somebody has made in place of one: of %s', async (_, find) => {
  const rows = await find();
  const made = (await rows.indexes()).at(-1);
  await service.stop();
  await rows.dropIndexes();
  await rows.createIndex(made?.key ?? {}, { name: 'mine' });
  service = await fixture.start();
  expect((await rows.indexes()).map(({ name }) => name)).toContain('mine');
  await rows.dropIndex('mine');
});

it('gives no id a second time when an older log is restored', async () => {
  const { plain, changed, regenerated, revoked, ...before } = await history();
  await service.stop();
  const { streams } = await jetstreamManager(fixture.connection, { checkAPI: false });
  const { config } = await streams.info(accessStream.name);
  await streams.delete(accessStream.name);
  await streams.add(config);
  fixture.logged.length = 0;
  service = await fixture.start();
  const user = await fixture.newUser();
  const key = await fixture.createKey(user);
  expect(user.spaceId).toBeGreaterThan(before.spaceId);
  expect(user.projectId).toBeGreaterThan(before.projectId);
  expect(key.id).toBeGreaterThan(Math.max(...[plain, changed, regenerated, revoked].map(({ id }) => id)));
  expect(fixture.logged.join('')).toContain('does not know all ids that were given out');
});
