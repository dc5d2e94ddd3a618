import { randomUUID } from 'node:crypto';
import { agentKey, type MemoryEvent, memoryStream, memorySubjects } from '@mneme/contracts';
import { type EventStore, openEraser } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { useTestLog } from '../testing/test-log.ts';
import { erasureGuard } from './erasure-guard.ts';

const log = useTestLog();

const context = { correlationId: 'test' };

/** An agent with one unit, whose events are based on what was read up to `readAt`. */
function agentWithUnit() {
  const agent = { space: 'public', agentId: randomUUID() };
  const subject = memorySubjects.unit(agent, 'u');
  const events: MemoryEvent[] = [
    { type: 'UnitForgotten', data: { ...agent, unitId: 'u' } },
    { type: 'UnitForgotten', data: { ...agent, unitId: 'u' } },
  ];
  const erased: MemoryEvent = { type: 'AgentErased', data: { space: 'public', agentKey: agentKey(agent) } };
  const erase = () => log.store.append(memorySubjects.agent(agent), [erased], 0, context);
  const write = (readAt: number, store: EventStore<MemoryEvent> = log.store) => {
    const eraser = openEraser(log.connection, memoryStream.name);
    return erasureGuard({ store, eraser }, agent, readAt).append(subject, events, 0, context);
  };
  return { subject, erase, write };
}

it('appends events about memories that still exist', async () => {
  const { subject, write } = agentWithUnit();
  const position = await write(0);
  expect((await log.store.load(subject)).revision).toBe(position.sequence);
});

it('appends nothing about memories that were erased since they were read', async () => {
  const { erase, write } = agentWithUnit();
  const { sequence } = await erase();
  await expect(write(0)).rejects.toMatchObject({ code: 'agent-erased' });
  expect(await log.store.head()).toBe(sequence);
});

it('leaves no event about memories that are erased during the append', async () => {
  const { subject, erase, write } = agentWithUnit();
  const overtaken: EventStore<MemoryEvent> = {
    ...log.store,
    append: async (...appended) => {
      await erase();
      return log.store.append(...appended);
    },
  };
  await expect(write(0, overtaken)).rejects.toMatchObject({ code: 'agent-erased' });
  expect((await log.store.load(subject)).events).toEqual([]);
});

it('appends events about a new agent of the same name', async () => {
  const { subject, erase, write } = agentWithUnit();
  const { sequence } = await erase();
  await write(sequence);
  expect((await log.store.load(subject)).events).toHaveLength(2);
});
