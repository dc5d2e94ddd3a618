import { startTestNats, waitUntil } from '@mneme/local-stack/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, it, onTestFinished } from 'vitest';
import { makeBucket } from '../buckets/make-bucket.ts';
import { ensureStream } from './ensure-stream.ts';

it('streams and buckets that NATS could not read are there again with what they held, also after the next restart', async () => {
  await using nats = await startTestNats();
  const { server } = nats;
  const connection = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  onTestFinished(() => connection.close());
  const { streams } = await jetstreamManager(connection);
  const isThere = (name: string) => streams.info(name).then(Boolean, () => false);
  const restart = async () => {
    await server.stop();
    await server.start();
    await waitUntil(() => connection.flush().then(() => true));
  };
  const stream = { name: 'LOG', subjects: ['log.>'], replicas: 1 };
  const bucketOptions = { name: 'bucket', description: 'A test', history: 1, replicas: 1 };
  await ensureStream(connection, stream);
  await jetstream(connection).publish('log.a', 'event');
  await (await makeBucket(connection, bucketOptions)).put('a', 'value');
  // As an earlier release did with STREAM_REPLICAS=3.
  for (const name of ['LOG', 'KV_bucket']) await streams.update(name, { num_replicas: 3 });

  await restart();
  expect([await isThere('LOG'), await isThere('KV_bucket')]).toEqual([false, false]);
  await ensureStream(connection, stream);
  await makeBucket(connection, bucketOptions);

  await restart();
  expect([await isThere('LOG'), await isThere('KV_bucket')]).toEqual([true, true]);
  expect((await streams.getMessage('LOG', { seq: 1 }))?.string()).toBe('event');
  const bucket = await makeBucket(connection, bucketOptions);
  expect((await bucket.get('a'))?.string()).toBe('value');
});
