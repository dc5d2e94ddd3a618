import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { closeNats, connectNats, createLogger, createMetrics } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { measureStreams } from './measure-streams.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

let stack: Stack;
let connection: NatsConnection;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
});
afterAll(async () => {
  await closeNats(connection);
  await stack.stop();
});

it('tells limits and handlers as long as they are there', async () => {
  const { streams, consumers } = await jetstreamManager(connection);
  const stream = { name: 'MILL', subjects: ['mill.>'], max_bytes: 1_000_000 };
  await streams.add(stream);
  await consumers.add('MILL', { durable_name: 'miller', ack_policy: 'explicit' });
  const metrics = createMetrics();
  const measuring = measureStreams({ connection, metrics, logger, everyMs: 50 });
  onTestFinished(() => measuring.stop());
  const told = async () => (await metrics.text()).split('\n').filter((line) => line.includes('stream="MILL"'));
  const limit = expect.stringMatching(/^mneme_stream_limit_bytes.* 1000000$/);
  const pending = expect.stringMatching(/^mneme_handler_pending_events.*handler="miller".* 0$/);
  await expect.poll(told).toEqual(expect.arrayContaining([limit, pending]));
  await streams.update('MILL', { ...stream, max_bytes: -1 });
  await consumers.delete('MILL', 'miller');
  const names = async () => (await told()).map((line) => /^\w+/.exec(line)?.[0]).sort();
  await expect.poll(names).toEqual(['mneme_stream_bytes', 'mneme_stream_lagging_replicas', 'mneme_stream_messages']);
});
