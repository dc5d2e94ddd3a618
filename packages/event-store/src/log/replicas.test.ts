import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBucket } from '../buckets/make-bucket.ts';
import { type NatsCluster, startNatsCluster } from '../testing/nats-cluster.ts';
import { ensureStream, replicasOf } from './ensure-stream.ts';

let cluster: NatsCluster;
let connection: NatsConnection;
beforeAll(async () => {
  cluster = await startNatsCluster();
  connection = await connect({ servers: cluster.urls });
}, 30_000);
afterAll(async () => {
  await connection?.close();
  await cluster?.[Symbol.asyncDispose]();
});

it('the copies of a stream can be raised, and are never lowered', async () => {
  const options = { name: 'LOG', subjects: ['log.>'] };
  const found: number[] = [];
  for (const replicas of [1, 3, 1]) {
    await ensureStream(connection, { ...options, replicas });
    found.push(await replicasOf(connection, 'LOG'));
  }
  expect(found).toEqual([1, 3, 3]);
});

it.each([{ name: 'bounded', maxBytes: 100_000 }, { name: 'unbounded' }])(
  'so can those of a bucket: $name',
  async (bucket) => {
    const found: number[] = [];
    for (const replicas of [1, 3, 1]) {
      await makeBucket(connection, { description: 'A test', history: 1, ...bucket, replicas });
      found.push(await replicasOf(connection, `KV_${bucket.name}`));
    }
    expect(found).toEqual([1, 3, 3]);
  },
);

it('a new stream and a new bucket get their copies at once', async () => {
  await ensureStream(connection, { name: 'NEW', subjects: ['new.>'], replicas: 3 });
  await makeBucket(connection, { name: 'new', description: 'A test', history: 1, replicas: 3 });
  expect(await Promise.all(['NEW', 'KV_new'].map((name) => replicasOf(connection, name)))).toEqual([3, 3]);
});

it('a bucket that persists asynchronously stays on one server, since NATS cannot change that', async () => {
  const options = { name: 'async', description: 'A test', history: 1, persistMode: 'async' } as const;
  await makeBucket(connection, { ...options, replicas: 1 });
  const bucket = await makeBucket(connection, { ...options, replicas: 3 });
  await bucket.put('a', '1');
  const { streams } = await jetstreamManager(connection);
  expect((await streams.info('KV_async')).config).toMatchObject({ num_replicas: 1, persist_mode: 'async' });
});
