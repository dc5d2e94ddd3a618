import { type Stack, startTestStack } from '@mneme/local-stack';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBucket, openBucket } from './make-bucket.ts';

let stack: Stack;
let connection: NatsConnection;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl });
});
afterAll(async () => {
  await connection.close();
  await stack.stop();
});

const settings = { description: 'A test', history: 1, replicas: 1 };
const configOf = async (name: string) => (await (await jetstreamManager(connection)).streams.info(`KV_${name}`)).config;

it('makes buckets that differ in nothing but how they persist', async () => {
  await makeBucket(connection, { name: 'synced', ...settings });
  await makeBucket(connection, { name: 'async', ...settings, persistMode: 'async' });
  const { persist_mode, metadata: _level, ...config } = await configOf('async');
  expect(persist_mode).toBe('async');
  const named = { name: 'KV_async', subjects: ['$KV.async.>'] };
  const { metadata: _otherLevel, ...synced } = await configOf('synced');
  expect(config).toEqual({ ...synced, ...named });
});

it('can be asked for again, by several at once', async () => {
  const options = { name: 'again', ...settings, persistMode: 'async' } as const;
  const buckets = await Promise.all([makeBucket(connection, options), openBucket(connection, options)]);
  const revision = await buckets[0].put('a', '1');
  expect((await buckets[1].get('a'))?.revision).toBe(revision);
});

it('takes a bucket as it is that was made otherwise', async () => {
  await makeBucket(connection, { name: 'earlier', ...settings });
  const bucket = await makeBucket(connection, { name: 'earlier', ...settings, persistMode: 'async' });
  expect(await bucket.put('a', '1')).toBe(1);
  expect((await configOf('earlier')).persist_mode).toBeUndefined();
});
