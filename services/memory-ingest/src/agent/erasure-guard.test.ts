import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent, memoryEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream, openEraser } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { erasureGuard } from './erasure-guard.ts';

let stack: Stack;
let connection: NatsConnection;
let store: EventStore<MemoryEvent>;

const context = { correlationId: 'test' };

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' });
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

/** An agent with one unit, which is written about at the position `readAt`. */
function life() {
  const agent = { space: 'public', agentId: randomUUID() };
  const subject = memorySubjects.unit(agent, 'u');
  const events: MemoryEvent[] = [
    { type: 'UnitForgotten', data: { ...agent, unitId: 'u' } },
    { type: 'UnitForgotten', data: { ...agent, unitId: 'u' } },
  ];
  const erased: MemoryEvent = { type: 'AgentErased', data: { space: 'public', agentKey: agentKey(agent) } };
  const erase = () => store.append(memorySubjects.agent(agent), [erased], 0, context);
  const write = (readAt: number) =>
    erasureGuard({ store, eraser: openEraser(connection, memoryStream.name) }, agent, readAt).append(
      subject,
      events,
      0,
      context,
    );
  return { subject, erase, write };
}

it('writes of memories that are still there', async () => {
  const { subject, write } = life();
  const position = await write(0);
  expect((await store.load(subject)).revision).toBe(position.sequence);
});

it('leaves nothing of memories that were erased since they were read', async () => {
  const { subject, erase, write } = life();
  await erase();
  await expect(write(0)).rejects.toMatchObject({ code: 'agent-erased' });
  expect((await store.load(subject)).events).toEqual([]);
});

it('writes of what a new agent of that name remembers', async () => {
  const { subject, erase, write } = life();
  const { sequence } = await erase();
  await write(sequence);
  expect((await store.load(subject)).events).toHaveLength(2);
});
