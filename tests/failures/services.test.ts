import { randomUUID } from 'node:crypto';
import type { BatchPutAsyncReply, OperationStatus } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { callTool, connections, textOf, tryTool } from '../mcp/mcp-client.ts';
import { eventually } from '../system/eventually.ts';
import { createKey, newPerson } from '../system/person.ts';
import { memoryServices, type ServiceName } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { expectStoredOnce, killCases, submitBatches, submitWhileKilled } from './many-batches.ts';

const syncTimeoutMs = 1_500;
const count = scaled({ full: 500, short: 24 });

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each' });
  return system.stop;
});

const batchOf = (agent_id: string) => ({ agent_id, items: [{ content: 'Crate C1 holds lemons.' }] });

test('batches submitted while memory-ingest and memory-query are down are stored when they come back', async () => {
  const away = [system.service('memory-ingest'), system.service('memory-query')];
  await Promise.all(away.map((service) => service.kill()));
  const submission = { agentId: 'patient', count: 20 };
  const operations = await submitBatches(system.http, submission);
  await Promise.all(away.map((service) => service.start()));
  await expectStoredOnce(system, submission, operations);
});

test('without memory-query, reads are 503 and say when to come again; /readyz names it', async () => {
  await using _ = await without('memory-query');
  const paths = [
    'list',
    'agents',
    'documents?agent_id=a',
    'stats/a',
    'operations/a',
    `operations/${randomUUID()}/status`,
  ];
  for (const path of paths) {
    const answer = await system.http.get(`/api/${path}`);
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', status: 503 } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect((await system.http.post('/api/search', { query: 'x' })).status).toBe(503);
  const ready = await system.http.get('/readyz');
  expect(ready).toMatchObject({
    status: 503,
    body: { checks: { 'memory-query': 'unavailable', 'memory-ingest': 'ok' } },
  });
  expect((await system.http.get('/healthz')).status).toBe(200);
});

test('without memory-ingest, commands are 503 and reads go on', async () => {
  await using _ = await without('memory-ingest');
  const commands = [
    system.http.get('/api/agents/a/profile'),
    system.http.put('/api/agents/a', {}),
    system.http.delete(`/api/memory/${randomUUID()}`),
    system.http.delete(`/api/operations/${randomUUID()}`),
    system.http.delete('/api/documents/d?agent_id=a'),
  ];
  for (const answer of await Promise.all(commands)) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect((await system.http.get('/api/agents')).status).toBe(200);
});

test('a synchronous batch that takes too long is 504 with its operation, which goes on', async () => {
  const { http: impatient } = await system.addGateway({ SYNC_TIMEOUT_MS: String(syncTimeoutMs) });
  const ingest = system.service('memory-ingest');
  await ingest.kill();
  const key = { 'idempotency-key': randomUUID() };
  const late = await impatient.post('/api/memories/batch', batchOf('late'), key);
  expect(late).toMatchObject({ status: 504, body: { status: 504, code: 'TIMEOUT' } });
  const id = late.body.operation_id;
  const pending = await system.http.get('/api/operations/late');
  expect(pending.body).toEqual({
    agent_id: 'late',
    operations: [
      {
        id,
        task_type: 'batch_put',
        items_count: 1,
        document_id: null,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        status: 'pending',
        error_message: null,
        attempts: expect.any(Number),
      },
    ],
  });
  expect((await system.http.get('/api/stats/late')).body.pending_operations).toBe(1);
  await ingest.start();
  await eventually('the operation completes', async () => {
    const { body } = await system.http.get<OperationStatus>(`/api/operations/${id}/status`);
    return body.status === 'completed';
  });
  const again = await impatient.post('/api/memories/batch', batchOf('late'), key);
  expect(again).toMatchObject({ status: 200, body: { success: true } });
  expect((await system.http.get('/api/list?agent_id=late')).body.total).toBe(1);
});

test('a key that was answered before the gateway was killed still gives the same answer', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const submit = () => system.http.post<BatchPutAsyncReply>('/api/memories/batch_async', batchOf('keyed'), key);
  const first = await submit();
  const gateway = system.service('gateway');
  await gateway.kill();
  await gateway.start();
  const again = await submit();
  expect(again.body).toEqual(first.body);
  await expectStored('keyed', 1);
});

/** Those that batches pass through; the others are killed in `access/outage.test.ts` and `webhooks/outage.test.ts`. */
const killable: readonly ServiceName[] = memoryServices;

test.each(killCases(killable))(
  'kill -9 of $names in the middle of many batches loses none and doubles none',
  async ({ killed }) => {
    const submission = { agentId: `killed-${killed.join('-')}`, count };
    const operations = await submitWhileKilled(system.http, submission, killed, killAndRestart);
    await expectStoredOnce(system, submission, operations);
  },
);

test('a session survives a kill -9 of the gateway: calls fail clearly, and work again when it is back', async () => {
  const { key } = await createKey(await newPerson(system.http), { agent_id: 'ana' });
  const endpoint = { url: `${system.http.url}/mcp`, credential: key };
  const overHttp = await connections.HTTP(endpoint);
  const overStdio = await connections.stdio(endpoint);
  await callTool(overHttp, 'remember', { content: 'Ana moved to Lisbon.' });
  await system.service('gateway').kill();

  await expect(overHttp.callTool({ name: 'list_memories' })).rejects.toThrow(/fetch failed/);
  const result = await tryTool(overStdio, 'list_memories');
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('could not be reached')]);

  await system.service('gateway').start();
  for (const client of [overHttp, overStdio]) {
    expect(await callTool(client, 'list_memories')).toMatchObject({ notice: expect.any(String) });
    await callTool(client, 'remember', { content: 'Ana works in Porto.' });
    await client.close();
  }
});

test('while memory cannot answer, a call says that this does not mean that it is empty', async () => {
  const client = await connections.HTTP({ url: `${system.http.url}/mcp/ana` });
  await system.service('memory-query').kill();
  const result = await tryTool(client, 'list_memories');
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('does not mean that it is empty')]);
  await system.service('memory-query').start();
  await expect.poll(async () => (await tryTool(client, 'list_memories')).isError, { timeout: 30_000 }).toBeFalsy();
});

async function killAndRestart(name: ServiceName): Promise<void> {
  const service = system.service(name);
  await service.kill();
  await service.start();
}

/** Kills a service until the end of the test; what was sent to it before NATS knew of that would be a timeout. */
async function without(name: 'memory-ingest' | 'memory-query'): Promise<AsyncDisposable> {
  const service = system.service(name);
  await service.kill();
  const isNamed = async () => (await system.http.get('/readyz')).body.checks[name] === 'unavailable';
  await eventually(`${name} is away`, isNamed);
  return { [Symbol.asyncDispose]: () => service.start() };
}

async function expectStored(agentId: string, total: number): Promise<void> {
  await eventually(`${agentId} has ${total} units`, async () => {
    const { body } = await system.http.get(`/api/operations/${agentId}`);
    return body.operations.length === 0;
  });
  expect((await system.http.get(`/api/list?agent_id=${agentId}`)).body.total).toBe(total);
}
