import { randomUUID } from 'node:crypto';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { Answer } from '../system/http-client.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { expectStoredOnce, killCases, submitWhileKilled } from './many-batches.ts';

const count = scaled({ full: 500, short: 24 });

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  const items = [{ content: 'Alice moved to Lisbon.' }];
  await system.http.post('/api/memories/batch', { agent_id: 'a', items, document_id: 'd' });
  return system.stop;
});

const batchOf = (agent_id: string) => ({ agent_id, items: [{ content: 'Crate C1 holds lemons.' }] });

function reads() {
  const paths = ['list', 'agents', 'documents?agent_id=a', 'documents/d?agent_id=a', 'stats/a', 'operations/a'];
  return [
    ...paths.map((path) => system.http.get(`/api/${path}`)),
    system.http.get(`/api/operations/${randomUUID()}/status`),
    system.http.post('/api/search', { agent_id: 'a', query: 'Lisbon' }),
  ];
}

function expectUnavailable(answer: Answer<{ message: string; code?: string }>): void {
  expect(answer).toMatchObject({ status: 503, body: { status: 503 } });
  expect(['UNAVAILABLE', 'READ_MODEL_BEHIND']).toContain(answer.body.code);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.body.message).not.toMatch(/127\.0\.0\.1|mongodb:|nats:|ECONN|\/src\//);
}

test('without the event log, everything is 503, nothing hangs, and all is well when it is back', async () => {
  const { nats } = system.stack.servers;
  await nats.kill();
  const begin = performance.now();
  const answers = await Promise.all([
    ...reads(),
    system.http.post('/api/memories/batch_async', batchOf('lost')),
    system.http.post('/api/memories/batch', batchOf('lost')),
    system.http.post('/api/memories/batch_async', batchOf('lost'), { 'idempotency-key': 'lost' }),
    system.http.put('/api/agents/a', {}),
    system.http.delete('/api/documents/d?agent_id=a'),
    system.http.delete(`/api/memory/${randomUUID()}`),
    system.http.delete(`/api/operations/${randomUUID()}`),
  ]);
  expect(performance.now() - begin).toBeLessThan(10_000);
  for (const answer of answers) expectUnavailable(answer);
  // By now it is known that the connection is lost, so that no one waits for it.
  const known = performance.now();
  expectUnavailable(await system.http.post('/api/memories/batch', batchOf('lost')));
  expectUnavailable(await system.http.post('/api/memories/batch', batchOf('lost'), { 'idempotency-key': 'lost' }));
  expect(performance.now() - known).toBeLessThan(2_000);
  const ready = await system.http.get('/readyz');
  expect(ready).toMatchObject({ status: 503, body: { checks: { nats: 'unavailable' } } });
  await nats.start();
  await eventually('a batch is stored again', async () => {
    return (await system.http.post('/api/memories/batch', batchOf('found'))).status === 200;
  });
  expect((await system.http.get('/api/list?agent_id=found')).body.total).toBe(1);
  expect((await system.http.get('/api/list?agent_id=lost')).body.total).toBe(0);
});

test('without MongoDB, reads are 503 and an asynchronous batch is taken in, to be found when it is back', async () => {
  const { mongod } = system.stack.servers;
  await mongod.kill();
  const begin = performance.now();
  // More than work at the same time: they do not wait for each other's failure.
  for (const answer of await Promise.all(Array.from({ length: 10 }, reads).flat())) expectUnavailable(answer);
  expect(performance.now() - begin).toBeLessThan(15_000);
  expect((await system.http.post('/api/memories/batch_async', batchOf('no-mongo'))).status).toBe(200);
  await mongod.start();
  await eventually('the batch is found', async () => {
    return (await system.http.get('/api/list?agent_id=no-mongo')).body.total === 1;
  });
});

test('without Qdrant, searches are 503, other reads go on, and a batch is found when it is back', async () => {
  const { qdrant } = system.stack.servers;
  await qdrant.kill();
  expectUnavailable(await system.http.post('/api/search', { agent_id: 'a', query: 'Lisbon' }));
  expect((await system.http.get('/api/list?agent_id=a')).body.total).toBe(1);
  expect((await system.http.post('/api/memories/batch_async', batchOf('no-qdrant'))).status).toBe(200);
  // What comes later does not reach the read models; that must not be taken for "there is no such operation".
  const unknown = await eventually('an operation is not known yet', async () => {
    const queued = await system.http.post('/api/memories/batch_async', batchOf('later'));
    const status = await system.http.get(`/api/operations/${queued.body.operation_id}/status`);
    return status.body.status !== 'pending' && status;
  });
  expectUnavailable(unknown);
  // Nor for "it is done", while those of whom everything is known are answered.
  expectUnavailable(await system.http.get('/api/operations/later'));
  expect((await system.http.get('/api/operations/a')).status).toBe(200);
  await qdrant.start();
  await eventually('the batch is found', async () => {
    const found = await system.http.post('/api/search', { agent_id: 'no-qdrant', query: 'lemons' });
    return found.body.results.length === 1;
  });
});

test.each(killCases(['nats', 'mongod', 'qdrant']))(
  'kill -9 of $names in the middle of many batches loses none and doubles none',
  async ({ killed }) => {
    const submission = { agentId: `killed-${killed.join('-')}`, count };
    const operations = await submitWhileKilled(system.http, submission, killed, async (name) => {
      const server = system.stack.servers[name];
      await server.kill('SIGKILL');
      await server.start();
    });
    await expectStoredOnce(system, submission, operations);
  },
);
