import { randomUUID } from 'node:crypto';
import { type MemoryEvent, memoryEvents, memoryQuery, memoryStream } from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { type Client, createClient, createLogger, type Service, startService } from '@mneme/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetUnit } from './commands.ts';

let stack: Stack;
let connection: NatsConnection;
let store: EventStore<MemoryEvent>;
let client: Client;
let query: Service;

const context = { correlationId: 'test' };
const logger = createLogger({ service: 'test', level: 'silent' });

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' });
  client = createClient({ connection });
  query = startService({ connection, name: 'memory-query', version: '0.0.1', logger });
  query.serve(memoryQuery.findUnit, ({ space }) => ({ agentId: space === 'public' ? 'alice' : null }));
});

afterAll(async () => {
  await query?.stop();
  client?.close();
  await connection?.close();
  await stack?.stop();
});

const forget = (request: { space: string; unitId: string; onlyAgent?: string }) =>
  forgetUnit({ store, client }, request, context);

it('forgets a unit of the only agent that the caller may touch, and none of another', async () => {
  const unitId = randomUUID();
  await expect(forget({ space: 'public', unitId, onlyAgent: 'bob' })).rejects.toMatchObject({
    code: 'agent-not-allowed',
  });
  expect(await store.head()).toBe(0);
  expect(await forget({ space: 'public', unitId, onlyAgent: 'alice' })).toEqual({ position: 'MEMORY:1' });
});

it('does not know a unit of another space, whoever may touch what', async () => {
  await expect(forget({ space: '7', unitId: randomUUID(), onlyAgent: 'bob' })).rejects.toMatchObject({
    code: 'unit-not-found',
  });
});
