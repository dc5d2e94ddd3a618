import { bucketCheckpoint } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV, KvEntry } from '@nats-io/kv';
import { expect, it } from 'vitest';
import { readRecord } from './buckets.ts';

/** A server's view of a bucket; what one server has, a real cluster would decide by chance. */
function serverWith(...keys: string[]) {
  const asked: string[] = [];
  const get = async (key: string) => {
    asked.push(key);
    return keys.includes(key) ? ({ operation: 'PUT', key } as KvEntry) : null;
  };
  return { asked, kv: { get } as unknown as KV };
}

const watch = { ask: <T>(act: () => Promise<T>) => act() } as ConnectionWatch;
const read = (bucket: KV, leader: KV) => readRecord({ bucket, leader, watch }, 'k');

it('finds a record that a follower lacks yet', async () => {
  const leader = serverWith(bucketCheckpoint, 'k');
  expect(await read(serverWith(bucketCheckpoint).kv, leader.kv)).toMatchObject({ key: 'k' });
  expect(leader.asked).toEqual(['k']);
});

it('asks for a record that is found only once, and not the leader', async () => {
  const [follower, leader] = [serverWith(bucketCheckpoint, 'k'), serverWith(bucketCheckpoint, 'k')];
  expect(await read(follower.kv, leader.kv)).toMatchObject({ key: 'k' });
  expect([follower.asked, leader.asked]).toEqual([['k'], []]);
});

it('is 503 while the bucket is being filled', async () => {
  const empty = serverWith().kv;
  await expect(read(empty, empty)).rejects.toMatchObject({ status: 503, code: 'REBUILDING' });
});
