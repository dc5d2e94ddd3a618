import type { KV } from '@nats-io/kv';
import { expect, it } from 'vitest';
import { useTestLog } from '../testing/test-log.ts';
import { changedEntries } from './changed-entries.ts';
import { makeBucket } from './make-bucket.ts';

const log = useTestLog();
let buckets = 0;

async function newBucket(): Promise<{ name: string; bucket: KV }> {
  buckets += 1;
  const name = `changes-${buckets}`;
  return { name, bucket: await makeBucket(log.connection, { name, description: 'A test', history: 1, replicas: 1 }) };
}

const textsFrom = async (name: string, from: number) => {
  const { entries, next } = await changedEntries(log.connection, name, from);
  return { texts: entries.map(({ key, value }) => `${key}=${Buffer.from(value)}`), next };
};

it('gives the newest of each key since a revision, and where to go on', async () => {
  const { name, bucket } = await newBucket();
  expect(await textsFrom(name, 1)).toEqual({ texts: [], next: 1 });
  for (const [key, value] of ['a1', 'b2', 'a3', 'c4']) await bucket.put(key ?? '', value ?? '');
  const { texts, next } = await textsFrom(name, 1);
  expect([texts, next]).toEqual([['b=2', 'a=3', 'c=4'], 5]);
  expect(await textsFrom(name, next)).toEqual({ texts: [], next });
  await bucket.put('b', '5');
  expect(await textsFrom(name, next)).toEqual({ texts: ['b=5'], next: 6 });
});

it('gives only the keys of what was deleted', async () => {
  const { name, bucket } = await newBucket();
  await bucket.put('a', '1');
  await bucket.put('b', '2');
  await bucket.purge('a');
  await bucket.delete('b');
  expect(await changedEntries(log.connection, name, 1)).toEqual({ entries: [], deleted: ['a', 'b'], next: 5 });
});

it('gives more than fits into one page', async () => {
  const { name, bucket } = await newBucket();
  const keys = Array.from({ length: 2_500 }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key) => bucket.put(key, key)));
  const { entries, next } = await changedEntries(log.connection, name, 1);
  expect([new Set(entries.map(({ key }) => key)).size, next]).toEqual([2_500, 2_501]);
});

it('says so when there is no such bucket', async () => {
  await expect(changedEntries(log.connection, 'nothing', 1)).rejects.toMatchObject({
    name: 'EventLogUnavailableError',
  });
});
