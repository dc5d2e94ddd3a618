import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../testing/process-probe.ts';
import { startTestStack } from '../testing/test-stack.ts';
import { waitUntil } from '../wait-until.ts';
import type { Stack } from './stack.ts';
import { startStack } from './start-stack.ts';

const SERVERS = ['nats', 'mongod', 'qdrant'] as const;

describe('a test stack', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startTestStack({ servers: SERVERS });
  });

  afterAll(() => stack.stop());

  it('keeps an acknowledged NATS message over a kill -9 and a start on the same address', async () => {
    const url = stack.natsUrl;
    const writer = await connect({ servers: url });
    await (await jetstreamManager(writer)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(writer).publish('kept', 'message');
    await writer.close();

    await stack.servers.nats.kill();
    await stack.servers.nats.start();

    expect(stack.natsUrl).toBe(url);
    const reader = await connect({ servers: url });
    const kept = await (await jetstreamManager(reader)).streams.getMessage('KEPT', { seq: 1 });
    await reader.close();
    expect(kept?.string()).toBe('message');
  });

  it('lets NATS clients send 8 MiB', async () => {
    const connection = await connect({ servers: stack.natsUrl });
    expect(connection.info?.max_payload).toBe(8 * 1024 * 1024);
    await connection.close();
  });

  it('keeps a MongoDB transaction over a kill -9 and a start on the same address', async () => {
    const writer = new MongoClient(stack.mongodbUrl);
    await writer.withSession((session) =>
      session.withTransaction(() => writer.db('kept').collection('rows').insertOne({ row: 1 }, { session })),
    );
    await writer.close();

    await stack.servers.mongod.kill();
    await stack.servers.mongod.start();

    const reader = new MongoClient(stack.mongodbUrl);
    const kept = await reader.db('kept').collection('rows').countDocuments();
    await reader.close();
    expect(kept).toBe(1);
  });

  it('keeps a Qdrant collection over a kill -9 and a start on the same address', async () => {
    const collection = `${stack.qdrantUrl}/collections/kept`;
    const body = JSON.stringify({ vectors: { size: 4, distance: 'Cosine' } });
    const made = await fetch(collection, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
    expect(made.status).toBe(200);

    await stack.servers.qdrant.kill();
    await stack.servers.qdrant.start();

    expect((await fetch(collection)).status).toBe(200);
  });

  it('restarts a server as another process', async () => {
    const before = stack.servers.nats.pid;
    await stack.servers.nats.restart();
    expect(stack.servers.nats.pid).not.toBe(before);
  });
});

it('leaves no process behind when it is stopped, also when it is stopped twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const stack = await startStack({ dataDir, servers: SERVERS, environment: {}, durability: 'process' });
  const pids = SERVERS.map((name) => stack.servers[name].pid as number);
  expect(pids.every(isRunning)).toBe(true);
  await Promise.all([stack.stop(), stack.stop()]);
  await waitUntil(() => !pids.some(isRunning), 5_000);
});

it('gives servers to the next test file, empty', async () => {
  const before = await startTestStack({ servers: SERVERS });
  const pids = SERVERS.map((name) => before.servers[name].pid);
  const client = new MongoClient(before.mongodbUrl);
  await client.db('left').collection('rows').insertOne({ left: true });
  await client.close();
  const connection = await connect({ servers: before.natsUrl });
  await (await jetstreamManager(connection)).streams.add({ name: 'LEFT', subjects: ['left'] });
  await connection.close();
  const body = JSON.stringify({ vectors: { size: 4, distance: 'Cosine' } });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${before.qdrantUrl}/collections/left`, { method: 'PUT', body, headers });
  await before.stop();
  const stack = await startTestStack({ servers: SERVERS });
  onTestFinished(() => stack.stop());
  expect(SERVERS.map((name) => stack.servers[name].pid)).toEqual(pids);
  const next = new MongoClient(stack.mongodbUrl);
  expect(await next.db('left').listCollections().toArray()).toEqual([]);
  await next.close();
  expect((await fetch(`${stack.qdrantUrl}/collections/left`)).status).toBe(404);
  const again = await connect({ servers: stack.natsUrl });
  expect(await (await jetstreamManager(again)).streams.names().next()).toEqual([]);
  await again.close();
});

it('says so when a server is used that was not asked for', async () => {
  const stack = await startTestStack({ servers: ['nats'] });
  expect(() => stack.mongodbUrl).toThrow('without mongod');
  await stack.stop();
});
