import { startTestNats } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectTo, useTestLog } from '../testing/test-log.ts';
import { bucketTime, makeBucket, openBucket } from './make-bucket.ts';

const log = useTestLog();

const settings = { description: 'A test', history: 1, replicas: 1 };
const configOf = async (name: string) =>
  (await (await jetstreamManager(log.connection)).streams.info(`KV_${name}`)).config;

it('makes buckets that differ in nothing but how they persist', async () => {
  await makeBucket(log.connection, { name: 'synced', ...settings });
  await makeBucket(log.connection, { name: 'async', ...settings, persistMode: 'async' });
  const { persist_mode, metadata: _level, ...config } = await configOf('async');
  expect(persist_mode).toBe('async');
  const named = { name: 'KV_async', subjects: ['$KV.async.>'] };
  const { metadata: _otherLevel, ...synced } = await configOf('synced');
  expect(config).toEqual({ ...synced, ...named });
});

it('can be asked for again, by several at once', async () => {
  const options = { name: 'again', ...settings, persistMode: 'async' } as const;
  const buckets = await Promise.all([makeBucket(log.connection, options), openBucket(log.connection, options)]);
  const revision = await buckets[0].put('a', '1');
  expect((await buckets[1].get('a'))?.revision).toBe(revision);
});

it('names the time by the clock that its entries have theirs from', async () => {
  const bucket = await makeBucket(log.connection, { name: 'timed', ...settings });
  const before = await bucketTime(bucket);
  await bucket.put('a', '1');
  const createdMs = (await bucket.get('a'))?.created.getTime();
  expect(createdMs).toBeGreaterThanOrEqual(before);
  expect(createdMs).toBeLessThanOrEqual(await bucketTime(bucket));
});

it('takes a bucket as it is that was made otherwise', async () => {
  await makeBucket(log.connection, { name: 'earlier', ...settings });
  const bucket = await makeBucket(log.connection, { name: 'earlier', ...settings, persistMode: 'async' });
  expect(await bucket.put('a', '1')).toBe(1);
  expect((await configOf('earlier')).persist_mode).toBeUndefined();
});

it('keeps a larger bound that an operator has given it, if it may', async () => {
  const options = { name: 'raised', ...settings, maxBytes: 10_000, keepsLarger: true };
  await makeBucket(log.connection, options);
  await (await jetstreamManager(log.connection)).streams.update('KV_raised', { max_bytes: 50_000 });
  await makeBucket(log.connection, options);
  expect((await configOf('raised')).max_bytes).toBe(50_000);
  await makeBucket(log.connection, { ...options, maxBytes: 60_000 });
  expect((await configOf('raised')).max_bytes).toBe(60_000);
  await (await jetstreamManager(log.connection)).streams.update('KV_raised', { max_bytes: -1 });
  await makeBucket(log.connection, options);
  expect((await configOf('raised')).max_bytes).toBe(-1);
});

it('refuses more than one replica where there is one server, which could not read them after its next restart', async () => {
  const options = { name: 'replicated', ...settings, replicas: 3 };
  await expect(makeBucket(log.connection, options)).rejects.toMatchObject({ name: 'NoClusterError' });
  await makeBucket(log.connection, { ...options, replicas: 1 });
  await expect(makeBucket(log.connection, options)).rejects.toMatchObject({ name: 'NoClusterError' });
  expect((await configOf('replicated')).num_replicas).toBe(1);
  // As an earlier release did.
  await (await jetstreamManager(log.connection)).streams.update('KV_replicated', { num_replicas: 3 });
  await makeBucket(log.connection, { ...options, replicas: 1 });
  expect((await configOf('replicated')).num_replicas).toBe(1);
});

const mebibyte = 1024 ** 2;

it('needs no room once more for a bucket that is there, and says what is too small for a new one', async () => {
  await using nats = await startTestNats({ maxStoreBytes: 10 * mebibyte });
  const small = await connectTo(nats.server.url);
  onTestFinished(() => small.close());
  const large = { ...settings, name: 'large', persistMode: 'async', maxBytes: 8 * mebibyte } as const;
  await makeBucket(small, large);
  const revision = await (await makeBucket(small, large)).put('a', '1');
  expect(revision).toBe(1);
  for (const persistMode of ['async', undefined] as const) {
    const options = {
      ...settings,
      name: `second-${persistMode}`,
      maxBytes: 4 * mebibyte,
      ...(persistMode && { persistMode }),
    };
    await expect(makeBucket(small, options)).rejects.toThrow(
      /^NATS has too little storage for the bucket second-\w+, which reserves 4 MiB .*NATS_MAX_FILE_STORE/,
    );
  }
});

describe.each(['async', undefined] as const)('a bucket that persists %s', (persistMode) => {
  const options = { ...settings, name: `bounded-${persistMode}`, ...(persistMode && { persistMode }) };

  it('may have a bound, past which it refuses writes, and a time to live', async () => {
    const bucket = await makeBucket(log.connection, { ...options, maxBytes: 10_000, ttlMs: 60_000 });
    expect(await configOf(options.name)).toMatchObject({ max_bytes: 10_000, max_age: 60_000_000_000 });
    await bucket.put('a', 'x'.repeat(9_000));
    await expect(bucket.put('b', 'x'.repeat(9_000))).rejects.toMatchObject({ code: 10_077 });
    expect((await bucket.get('a'))?.value.length).toBe(9_000);
  });

  it('gets a bound, or another one, when it is asked for with it', async () => {
    const name = `earlier-${persistMode}`;
    await makeBucket(log.connection, { ...options, name });
    expect((await configOf(name)).max_bytes).toBe(-1);
    for (const maxBytes of [10_000, 20_000]) {
      await Promise.all([1, 2].map(() => makeBucket(log.connection, { ...options, name, maxBytes })));
      expect((await configOf(name)).max_bytes).toBe(maxBytes);
    }
  });
});
