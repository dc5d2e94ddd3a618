import { bucketCheckpoint } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV, KvEntry } from '@nats-io/kv';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type RecordBucket, readIfThere, readRecord } from './buckets.ts';

/** A server's view of a bucket; what one server has, a real cluster would decide by chance. */
function serverWith(records: Record<string, string>) {
  const asked: string[] = [];
  const get = async (key: string) => {
    asked.push(key);
    const value = records[key];
    return value === undefined ? null : ({ operation: 'PUT', key, json: () => value } as KvEntry);
  };
  return { asked, kv: { get } as unknown as KV };
}

const watch = { ask: <T>(act: () => Promise<T>) => act() } as ConnectionWatch;
const query = { key: 'k', schema: z.string(), grants: (record: string) => record === 'new' };
const filled = { [bucketCheckpoint]: '' };
const bucketOf = (follower: { kv: KV }, leader: { kv: KV }): RecordBucket => {
  return { bucket: follower.kv, leader: leader.kv, watch };
};

it.each([
  ['lacks it yet', filled],
  ['has a former one', { ...filled, k: 'old' }],
])('finds the record that grants what is asked for where a follower %s', async (_name, records) => {
  for (const read of [readRecord, readIfThere]) {
    const leader = serverWith({ ...filled, k: 'new' });
    expect(await read(bucketOf(serverWith(records), leader), query)).toBe('new');
    expect(leader.asked).toEqual(['k']);
  }
});

it('asks for a record that grants it only once, and not the leader', async () => {
  for (const read of [readRecord, readIfThere]) {
    const [follower, leader] = [serverWith({ k: 'new' }), serverWith({ k: 'old' })];
    expect(await read(bucketOf(follower, leader), query)).toBe('new');
    expect([follower.asked, leader.asked]).toEqual([['k'], []]);
  }
});

it('is 503 while the bucket is being filled, unless a record may be missing', async () => {
  const empty = bucketOf(serverWith({}), serverWith({}));
  await expect(readRecord(empty, query)).rejects.toMatchObject({ status: 503, code: 'REBUILDING' });
  expect(await readIfThere(empty, query)).toBeUndefined();
});
