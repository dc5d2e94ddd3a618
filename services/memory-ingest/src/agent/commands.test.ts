import { randomUUID } from 'node:crypto';
import { type AgentRef, defaultPersonality, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { createStateCache, type EventStore } from '@mneme/event-store';
import type { BackgroundWriter } from '@mneme/models';
import type { Client } from '@mneme/service-kit';
import { KeyedMutex } from '@mneme/workers/keyed-mutex';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusalReply } from '../errors.ts';
import { behindAtFirst, requestContext, silent, useTestLog } from '../testing/test-log.ts';
import { addBackground, ensureAgent, putAgent } from './commands.ts';
import { type Agent, agentBytes } from './decider.ts';

const log = useTestLog();
let agent: AgentRef;
beforeEach(() => {
  agent = { space: 'public', agentId: randomUUID() };
});

const typesInLog = () => log.typesOf(memorySubjects.agent(agent));

it('changes a profile 20 times at once', async () => {
  const cache = createStateCache<Agent>({ sizeOf: agentBytes });
  const put = (n: number) =>
    putAgent(log.store, agent, { personality: null, background: `Background ${n}` }, requestContext(), { cache });
  const done = await Promise.all(Array.from({ length: 20 }, (_, n) => put(n)));
  expect(done.every(({ position }) => position !== null)).toBe(true);
});

describe('ensuring an agent', () => {
  const newCache = () => createStateCache<Agent>({ sizeOf: agentBytes });

  /** An event store that counts the events it reads. */
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

  /** A stand-in for memory-query; unavailable unless it has a background to return. */
  function readModel(background?: string) {
    const asked: unknown[] = [];
    const call = async (endpoint: unknown, request: unknown) => {
      if (endpoint !== memoryQuery.listAgents) throw new Error('Nothing else is to be asked');
      asked.push(request);
      if (background === undefined) throw new Error('The read model is away');
      return { agents: [{ agent_id: agent.agentId, personality: defaultPersonality, background }] };
    };
    return { client: { request: call, close: () => undefined } as unknown as Client, asked };
  }

  const put = (background: string, cache = newCache()) =>
    putAgent(log.store, agent, { personality: null, background }, requestContext(), { cache });
  const historyOf = async () => (await log.store.load(memorySubjects.agent(agent))).events;

  function ensure({ client }: { client: Client }, store: EventStore<MemoryEvent> = log.store, cache = newCache()) {
    return ensureAgent({ store, client, cache, logger: silent }, agent, requestContext());
  }

  it('creates an agent that does not exist, without asking the read model', async () => {
    const model = readModel('wrong');
    const { profile, position } = await ensure(model);
    expect(profile).toEqual({ agent_id: agent.agentId, personality: defaultPersonality, background: '' });
    const [created, ...others] = await historyOf();
    expect([created?.type, others]).toEqual(['AgentCreated', []]);
    expect(position).toBe(`MEMORY:${created?.position.sequence}`);
    expect(model.asked).toEqual([]);
  });

  it('returns a profile from the read model as it is after the last event, and reads no history', async () => {
    for (const background of ['a', 'b', 'c']) await put(background);
    const before = await historyOf();
    const { store, read } = counting();
    const model = readModel('c');
    expect(await ensure(model, store)).toMatchObject({ profile: { background: 'c' }, position: null });
    expect(model.asked).toEqual([{ ...agent, limit: 1, minSequence: before.at(-1)?.position.sequence }]);
    expect(read()).toBe(0);
    expect(await historyOf()).toHaveLength(before.length);
  });

  it('shows a recent change from the cached state, and reads only the events after it', async () => {
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

  it('reads the history when the read model is unavailable', async () => {
    await put('I sail.');
    expect(await ensure(readModel())).toMatchObject({ profile: { background: 'I sail.' }, position: null });
  });

  it('creates an erased agent again, whatever is cached', async () => {
    const cache = newCache();
    await put('I sail.', cache);
    await ensure(readModel(), log.store, cache);
    const erased = { type: 'AgentErased', data: { space: agent.space, agentKey: 'x' } } as const;
    await log.store.append(memorySubjects.agent(agent), [erased], 'any', requestContext());
    expect((await ensure(readModel('I sail.'), log.store, cache)).profile.background).toBe('');
    expect((await historyOf()).at(-1)?.type).toBe('AgentCreated');
  });
});

it('changes an agent back, also when a replica does not have the change yet', async () => {
  const put = (background: string, store = log.store) =>
    putAgent(store, agent, { personality: null, background }, requestContext());
  await put('I sail.');
  await put('I walk.');
  const before = await typesInLog();
  await put('I sail.', behindAtFirst(log.store));
  expect(await typesInLog()).toHaveLength(before.length + 1);
});

describe('adding to a background', () => {
  const traits = { openness: 0.9, conscientiousness: 0.1, extraversion: 0.2, agreeableness: 0.3, neuroticism: 0.4 };

  /** Joins the texts and counts its calls. */
  function joiningWriter(change: Partial<BackgroundWriter> = {}) {
    const calls = { merge: 0, inferTraits: 0 };
    const writer: BackgroundWriter = {
      name: 'joining',
      promptVersion: 'test.v1',
      merge: async ({ current, addition }) => {
        calls.merge += 1;
        return `${current} ${addition}`.trim();
      },
      inferTraits: async () => {
        calls.inferTraits += 1;
        return traits;
      },
      ...change,
    };
    return { writer, calls };
  }

  function add(writer: BackgroundWriter, change: object = {}, mutex = new KeyedMutex()) {
    const deps = { store: log.store, writer, mutex, clock: () => new Date(), logger: silent };
    const defaults = { ...agent, content: 'I sail.', updatePersonality: true, mergeId: randomUUID() };
    return addBackground(deps, { ...defaults, ...change }, requestContext());
  }

  it('creates the agent, merges, and infers the personality from the result', async () => {
    const merged = await add(joiningWriter().writer);
    expect(merged).toMatchObject({ background: 'I sail.', personality: { ...traits, bias_strength: 0.5 } });
    expect(await typesInLog()).toEqual(['AgentCreated', 'BackgroundMerged', 'PersonalityChanged']);
  });

  it('that is a preview shows the result and stores nothing, also of an agent that does not exist', async () => {
    const shown = { background: 'I sail.', personality: { ...traits, bias_strength: 0.5 }, position: null };
    expect(await add(joiningWriter().writer, { preview: true })).toEqual(shown);
    expect(await typesInLog()).toEqual([]);
    await add(joiningWriter().writer);
    const before = await typesInLog();
    const { background } = await add(joiningWriter().writer, { preview: true, content: 'I dive.' });
    expect(background).toContain('I dive.');
    expect(await typesInLog()).toEqual(before);
  });

  it('infers no personality unless requested', async () => {
    const { writer, calls } = joiningWriter();
    const merged = await add(writer, { updatePersonality: false });
    expect(merged.personality).toEqual(defaultPersonality);
    expect(calls).toEqual({ merge: 1, inferTraits: 0 });
  });

  it('stores the merge when no personality can be inferred from it', async () => {
    const { writer } = joiningWriter({ inferTraits: () => Promise.reject(new Error('The model is away')) });
    const merged = await add(writer);
    expect(merged).toMatchObject({ background: 'I sail.', personality: defaultPersonality });
    expect(await typesInLog()).toEqual(['AgentCreated', 'BackgroundMerged']);
  });

  it('changes nothing when the merge fails', async () => {
    const { writer } = joiningWriter({ merge: () => Promise.reject(new Error('The model is away')) });
    await expect(add(writer)).rejects.toThrow('The model is away');
    expect(await typesInLog()).toEqual([]);
  });

  it('calls no model for a resent request', async () => {
    const { writer, calls } = joiningWriter();
    const mergeId = randomUUID();
    const first = await add(writer, { mergeId });
    const again = await add(writer, { mergeId });
    expect([again.background, again.personality]).toEqual([first.background, first.personality]);
    expect(calls.merge).toBe(1);
  });

  it('loses no concurrent addition, in one instance or several', async () => {
    const { writer, calls } = joiningWriter();
    const oneInstance = new KeyedMutex();
    const contents = ['I sail.', 'I sing.', 'I cook.', 'I paint.'];
    await Promise.all(contents.slice(0, 3).map((content) => add(writer, { content }, oneInstance)));
    expect(calls.merge).toBe(3);
    await Promise.all([
      add(writer, { content: contents[3] }, oneInstance),
      add(writer, { content: 'I dance.' }, new KeyedMutex()),
    ]);
    const { background } = await add(writer, { content: ' ' });
    for (const content of [...contents, 'I dance.']) expect(background).toContain(content);
  });

  it('answers a resent request with its own merge, whatever was merged since', async () => {
    const { writer, calls } = joiningWriter();
    const mergeId = randomUUID();
    const first = await add(writer, { mergeId });
    await add(writer, { content: 'I sing.' });
    const again = await add(writer, { mergeId });
    expect([again.background, again.position?.startsWith('MEMORY:')]).toEqual([first.background, true]);
    expect(calls.merge).toBe(2);
  });

  it('refuses an addition that makes the background too long, and keeps it as it was', async () => {
    const { writer } = joiningWriter();
    await add(writer, { content: 'é'.repeat(32 * 1024) });
    const tooLong = add(writer, { content: 'x' });
    await expect(tooLong).rejects.toMatchObject({ code: 'background-too-large' });
    const refusal = refusalReply(await tooLong.catch((error: unknown) => error));
    expect(refusal).toMatchObject({ status: 422, code: 'UNPROCESSABLE' });
    expect((await typesInLog()).filter((type) => type === 'BackgroundMerged')).toHaveLength(1);
  });
});
