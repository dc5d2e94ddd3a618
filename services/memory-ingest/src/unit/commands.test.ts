import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent, memoryQuery, memoryStream, memorySubjects } from '@mneme/contracts';
import { openEraser } from '@mneme/event-store';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { createStoreFor } from '../agent/store-for.ts';
import { useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { forgetUnit } from './commands.ts';

const log = useTestLog();
const context = { correlationId: 'test' };
/** What the read model finds, by space. */
const found = new Map<string, z.infer<typeof memoryQuery.findUnit.reply>>([['public', { agentId: 'alice' }]]);

const query = useMemoryQuery(log, (service) =>
  service.serve(memoryQuery.findUnit, ({ space }) => found.get(space) ?? { agentId: null }),
);

function forget(request: { space: string; unitId: string; agentId?: string; onlyAgent?: string }) {
  const eraser = openEraser(log.connection, memoryStream.name);
  const storeFor = createStoreFor({ store: log.store, eraser });
  return forgetUnit({ store: log.store, client: query.client, storeFor }, request, context);
}

it('forgets a unit of the agent that the caller means and may access, and none of another', async () => {
  const unitId = randomUUID();
  await expect(forget({ space: 'public', unitId, onlyAgent: 'bob' })).rejects.toMatchObject({
    code: 'agent-not-allowed',
  });
  await expect(forget({ space: 'public', unitId, agentId: 'bob' })).rejects.toMatchObject({ code: 'unit-not-found' });
  expect(await log.store.head()).toBe(0);
  expect(await forget({ space: 'public', unitId, agentId: 'alice', onlyAgent: 'alice' })).toEqual({
    agentId: 'alice',
    position: 'MEMORY:1',
  });
});

it('does not find a unit of another space', async () => {
  await expect(forget({ space: '7', unitId: randomUUID(), onlyAgent: 'bob' })).rejects.toMatchObject({
    code: 'unit-not-found',
  });
});

it('leaves nothing of an agent that was erased since the unit was found', async () => {
  const agent = { space: '8', agentId: 'ben' };
  const unitId = randomUUID();
  const append = (subject: string, event: MemoryEvent) => log.store.append(subject, [event], 0, context);
  const stored: MemoryEvent = { type: 'UnitForgotten', data: { ...agent, unitId: randomUUID() } };
  const { sequence } = await append(memorySubjects.unit(agent, stored.data.unitId), stored);
  found.set('8', {
    agentId: 'ben',
    unit: { text: 'A fact.', context: null, eventDate: '2026-01-01T00:00:00.000Z', sequence },
  });
  // The read model has not applied it yet.
  await append(memorySubjects.agent(agent), { type: 'AgentErased', data: { space: '8', agentKey: agentKey(agent) } });
  await expect(forget({ space: '8', unitId })).rejects.toMatchObject({ code: 'agent-erased' });
  expect(await log.typesOf(memorySubjects.unit(agent, unitId))).toEqual([]);
});
