import { randomUUID } from 'node:crypto';
import { type AgentRef, defaultPersonality, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { createStateCache, type EventStore } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { requestContext, silent, startTestLog, type TestLog } from '../testing/test-log.ts';
import { type Agent, agentBytes } from './decider.ts';
import { ensureAgent } from './ensure-agent.ts';
import { putAgent } from './put-agent.ts';

let log: TestLog;
let agent: AgentRef;
beforeAll(async () => {
  log = await startTestLog();
});
afterAll(() => log?.stop());
beforeEach(() => {
  agent = { space: 'public', agentId: randomUUID() };
});

const newCache = () => createStateCache<Agent>({ sizeOf: agentBytes });

/** A log that counts how many events of a history are read. */
function counting() {
  let read = 0;
  const store: EventStore<MemoryEvent> = {
    ...log.store,
    fold: (subject, evolve, initial, known) => {
      const counted: typeof evolve = (state, event) => {
        read += 1;
        return evolve(state, event);
      };
      return log.store.fold(subject, counted, initial, known);
    },
  };
  return { store, read: () => read };
}

/** Answers for the read model of agents, or is away. */
function readModel(background?: string) {
  const asked: unknown[] = [];
  const call = async (endpoint: unknown, request: unknown) => {
    if (endpoint !== memoryQuery.listAgents) throw new Error('Nothing else is to be asked');
    asked.push(request);
    if (background === undefined) throw new Error('The read model is away');
    return { agents: [{ agent_id: agent.agentId, personality: defaultPersonality, background }] };
  };
  return { client: { call, close: () => undefined } as unknown as Client, asked };
}

const put = (background: string, cache = newCache()) =>
  putAgent(log.store, agent, { personality: null, background }, requestContext(), { cache });
const historyOf = async () => (await log.store.load(memorySubjects.agent(agent))).events;

function ensure({ client }: { client: Client }, store: EventStore<MemoryEvent> = log.store, cache = newCache()) {
  return ensureAgent({ store, client, cache, logger: silent }, agent, requestContext());
}

it('makes an agent that is absent, without asking the read model', async () => {
  const model = readModel('wrong');
  const { profile, position } = await ensure(model);
  expect(profile).toEqual({ agent_id: agent.agentId, personality: defaultPersonality, background: '' });
  const [created, ...others] = await historyOf();
  expect([created?.type, others]).toEqual(['AgentCreated', []]);
  expect(position).toBe(`MEMORY:${created?.position.sequence}`);
  expect(model.asked).toEqual([]);
});

it('gives a profile that exists as the read model has it after its last event, and reads no history', async () => {
  for (const background of ['a', 'b', 'c']) await put(background);
  const before = await historyOf();
  const { store, read } = counting();
  const model = readModel('c');
  expect(await ensure(model, store)).toMatchObject({ profile: { background: 'c' }, position: null });
  expect(model.asked).toEqual([{ ...agent, limit: 1, minSequence: before.at(-1)?.position.sequence }]);
  expect(read()).toBe(0);
  expect(await historyOf()).toHaveLength(before.length);
});

it('shows a change of a moment ago by a cached state, and reads what came after it only', async () => {
  const cache = newCache();
  for (let count = 1; count <= 20; count += 1) await put(`background ${count}`, cache);
  const { store, read } = counting();
  const model = readModel('stale');
  expect((await ensure(model, store, cache)).profile.background).toBe('background 20');
  expect(model.asked).toEqual([]);
  expect(read()).toBe(1);
  await put('by another instance');
  expect((await ensure(model, store, cache)).profile.background).toBe('by another instance');
  expect(read()).toBe(2);
});

it('reads the history when the read model is away', async () => {
  await put('I sail.');
  expect(await ensure(readModel())).toMatchObject({ profile: { background: 'I sail.' }, position: null });
});

it('makes an agent anew that was erased, whatever is cached', async () => {
  const cache = newCache();
  await put('I sail.', cache);
  await ensure(readModel(), log.store, cache);
  const erased = { type: 'AgentErased', data: { space: agent.space, agentKey: 'x' } } as const;
  await log.store.append(memorySubjects.agent(agent), [erased], 'any', requestContext());
  expect((await ensure(readModel('I sail.'), log.store, cache)).profile.background).toBe('');
  expect((await historyOf()).at(-1)?.type).toBe('AgentCreated');
});
