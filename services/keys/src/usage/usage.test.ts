import { randomUUID } from 'node:crypto';
import { accessBuckets, keys } from '@mneme/contracts';
import { openBucket } from '@mneme/event-store';
import { atFullLength } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { Collection } from 'mongodb';
import { beforeAll, expect, it, vi } from 'vitest';
import { markOf } from '../key/commands.ts';
import { useKeysFixture } from '../testing/keys-fixture.ts';

const fixture = useKeysFixture();
beforeAll(() => fixture.start());

async function someKey() {
  const user = await fixture.newUser();
  const { key, id: keyId } = await fixture.createKey(user);
  const used = async () => {
    const [listed] = await fixture.call(keys.listKeys, user);
    return [listed?.request_count, listed?.last_used_at];
  };
  return { ...user, key, keyId, used };
}

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
/** How far the list may be behind by the contract. */
const soon = { timeout: 5_000 };

it('is listed as the gateways have counted it, and never goes backwards', async () => {
  const { key, used } = await someKey();
  expect(await used()).toEqual([0, null]);
  await fixture.use(key, 3, at(3));
  await expect.poll(used, soon).toEqual([3, at(3)]);
  const other = await someKey();
  await fixture.use(key, 2, at(2));
  await fixture.use(other.key, 1, at(1));
  await expect.poll(other.used, soon).toEqual([1, at(1)]);
  expect(await used()).toEqual([3, at(3)]);
});

it('starts at 0 with a regenerated key, and that of the old one is deleted', async () => {
  const { key, used, ...ref } = await someKey();
  await fixture.use(key, 9, at(9));
  await expect.poll(used, soon).toEqual([9, at(9)]);
  const { value } = await fixture.call(keys.regenerateKey, { ...ref, commandId: randomUUID() });
  expect(await used()).toEqual([0, null]);
  const rows = fixture.db.collection<{ _id: string }>('access_key_usage');
  const { keyHash } = markOf(key);
  await expect.poll(() => rows.countDocuments({ _id: keyHash }), soon).toBe(0);
  const bucket = await openBucket(fixture.connection, { ...accessBuckets.keyUsage, replicas: 1 });
  expect((await bucket.get(keyHash))?.operation).toBe('PURGE');
  await fixture.use(value.key, 1, at(1));
  await expect.poll(used, soon).toEqual([1, at(1)]);
});

it('is deleted with its key, also when it is being copied meanwhile', async () => {
  const { key, ...ref } = await someKey();
  const name = 'access_key_usage';
  const { keyHash } = markOf(key);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: copied, resolve: copy } = Promise.withResolvers<void>();
  const write = Collection.prototype.bulkWrite;
  using spy = vi.spyOn(Collection.prototype, 'bulkWrite').mockImplementation(async function (
    this: Collection,
    ...args
  ) {
    if (this.collectionName !== name) return write.apply(this, args);
    await released;
    return write.apply(this, args).finally(copy);
  });
  const isCopying = () => spy.mock.contexts.some((context) => (context as Collection).collectionName === name);
  await fixture.use(key, 1, at(1));
  await expect.poll(isCopying, soon).toBe(true);
  await fixture.call(keys.revokeKey, ref);
  const bucket = await openBucket(fixture.connection, { ...accessBuckets.keyUsage, replicas: 1 });
  await expect.poll(async () => (await bucket.get(keyHash))?.operation, soon).toBe('PURGE');
  release();
  await copied;
  const rows = fixture.db.collection<{ _id: string }>(name);
  await expect.poll(() => rows.countDocuments({ _id: keyHash }), soon).toBe(0);
});

it('skips entries that are no record of usage', async () => {
  const { key, used } = await someKey();
  const bucket = await openBucket(fixture.connection, { ...accessBuckets.keyUsage, replicas: 1 });
  await bucket.put(markOf(key).keyHash, 'nonsense');
  await bucket.put('other', JSON.stringify({ requests: -1 }));
  await fixture.use(key, 4, at(4));
  await expect.poll(used, soon).toEqual([4, at(4)]);
});

it('is read again from a bucket that was made again, whose revisions are lower', async () => {
  const { key, used } = await someKey();
  for (const requests of [1, 2, 3]) await fixture.use(key, requests, at(1));
  await expect.poll(used, soon).toEqual([3, at(1)]);
  const { streams } = await jetstreamManager(fixture.connection);
  await streams.delete(`KV_${accessBuckets.keyUsage.name}`);
  await fixture.use(key, 4, at(4));
  await expect.poll(used, soon).toEqual([4, at(4)]);
});

it('is copied again when the rows were lost', async () => {
  const { key, used } = await someKey();
  await fixture.use(key, 5, at(5));
  await expect.poll(used, soon).toEqual([5, at(5)]);
  await fixture.db.collection('access_key_usage').drop();
  await expect.poll(used, soon).toEqual([5, at(5)]);
});

it('is written only where it has become more, and a part at a time', async () => {
  using spy = vi.spyOn(Collection.prototype, 'bulkWrite');
  const name = 'access_key_usage';
  const isUsage = (call: number) => (spy.mock.contexts[call] as Collection).collectionName === name;
  const writes = () => spy.mock.calls.filter((_, call) => isUsage(call));
  const bucket = await openBucket(fixture.connection, { ...accessBuckets.keyUsage, replicas: 1 });
  const usage = JSON.stringify({ requests: 1, lastUsedAt: at(1), recent: [] });
  const hashes = Array.from({ length: 2_500 }, (_, index) => `many-${index}`);
  await Promise.all(hashes.map((hash) => bucket.put(hash, usage)));
  const rows = fixture.db.collection<{ _id: string }>(name);
  await expect.poll(() => rows.countDocuments({ _id: { $in: hashes } }), soon).toBe(hashes.length);
  expect(Math.max(...writes().map(([operations]) => operations.length))).toBeLessThanOrEqual(1_000);
  spy.mockClear();
  const { keyUsage } = await fixture.call(keys.rebuild, {});
  expect(keyUsage).toBeGreaterThanOrEqual(hashes.length);
  expect(writes()).toEqual([]);
});

it.runIf(atFullLength)('is followed again after NATS was down', async () => {
  const { key, used } = await someKey();
  await fixture.use(key, 1, at(1));
  await expect.poll(used, soon).toEqual([1, at(1)]);
  await fixture.stack.servers.nats.restart();
  await expect
    .poll(
      () =>
        fixture.use(key, 2, at(2)).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  await expect.poll(used, { timeout: 20_000 }).toEqual([2, at(2)]);
});
