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

const bucket = { description: 'A test', history: 1 };

it.each([
  ['LOG', (replicas: number) => ensureStream(connection, { name: 'LOG', subjects: ['log.>'], replicas })],
  ['KV_bound', (replicas: number) => makeBucket(connection, { ...bucket, name: 'bound', maxBytes: 100_000, replicas })],
  ['KV_free', (replicas: number) => makeBucket(connection, { ...bucket, name: 'free', replicas })],
] as const)(
  'the copies of a stream, which may be that of a bucket, can be raised, and are never lowered: %s',
  async (name, make) => {
    const found: number[] = [];
    for (const replicas of [1, 3, 1]) {
      await make(replicas);
      found.push(await replicasOf(connection, name));
    }
    expect(found).toEqual([1, 3, 3]);
  },
);

it('a new stream and a new bucket get their copies at once', async () => {
  await ensureStream(connection, { name: 'NEW', subjects: ['new.>'], replicas: 3 });
  await makeBucket(connection, { ...bucket, name: 'new', replicas: 3 });
  expect(await Promise.all(['NEW', 'KV_new'].map((name) => replicasOf(connection, name)))).toEqual([3, 3]);
});

it('a bucket that persists asynchronously stays on one server, since NATS cannot change that', async () => {
  const options = { ...bucket, name: 'async', persistMode: 'async' } as const;
  await makeBucket(connection, { ...options, replicas: 1 });
  await (await makeBucket(connection, { ...options, replicas: 3 })).put('a', '1');
  const { streams } = await jetstreamManager(connection);
  expect((await streams.info('KV_async')).config).toMatchObject({ num_replicas: 1, persist_mode: 'async' });
});
