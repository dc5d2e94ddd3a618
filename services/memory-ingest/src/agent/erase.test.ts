import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  type AgentRef,
  agentKey,
  type MemoryEvent,
  memoryQuery,
  memoryStream,
  memorySubjects,
  type Stats,
  WireError,
} from '@mneme/contracts';
import {
  type DeadLetters,
  deadLetters,
  type Eraser,
  messageAt,
  openEraser,
  openLog,
  writeDeadLetter,
} from '@mneme/event-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { submit, useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { putAgent } from './commands.ts';
import { type EraseAgentDeps, eraseAgent } from './erase.ts';

const log = useTestLog();
let agent: AgentRef;

const context = { correlationId: 'test' };
const counts = { total_nodes: 4, total_links: 9, total_documents: 2 };
/** The agents that memory-query never counts. */
const uncounted = new Set<string>();
/** The agents whose last events memory-query has not applied. */
const behind = new Set<string>();

const query = useMemoryQuery(log, (service) =>
  service.serve(memoryQuery.stats, async ({ agentId }, { signal }): Promise<Stats> => {
    if (uncounted.has(agentId)) await once(signal, 'abort');
    if (behind.has(agentId)) throw new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message: 'Try again' });
    const none = { nodes_by_type: {}, links_by_type: {}, pending_operations: 0, failed_operations: 0 };
    return { agent_id: agentId, ...counts, ...none };
  }),
);

beforeEach(() => {
  agent = { space: 'public', agentId: randomUUID() };
});

const eraser = () => openEraser(log.connection, memoryStream.name);

function erase(options: Partial<EraseAgentDeps> = {}) {
  const deps = {
    store: log.store,
    client: query.client,
    eraser: eraser(),
    deadLetters: deadLetters(log.connection),
    ...options,
  };
  return eraseAgent(deps, agent, context);
}

/** The types of all events of an agent, in order. */
async function inLog({ space, agentId } = agent) {
  const [own, others] = await Promise.all([
    eraser().find(memorySubjects.agent({ space, agentId })),
    eraser().find(memorySubjects.allOf({ space, agentId })),
  ]);
  return [...own, ...others].sort((left, right) => left.sequence - right.sequence).map(({ type }) => type);
}

/** Submits a batch of the agent. @returns the subject of its operation */
const submitOne = () => submit(log, ['Alice lives in Lisbon.'], agent);

/** A profile, two batches, and a unit that was forgotten. */
async function live() {
  await putAgent(log.store, agent, { personality: null, background: 'I sail.' }, context);
  const operations = [await submitOne(), await submitOne()];
  const unitId = randomUUID();
  const forgotten: MemoryEvent = { type: 'UnitForgotten', data: { ...agent, unitId } };
  await log.store.append(memorySubjects.unit(agent, unitId), [forgotten], 0, context);
  return operations;
}

describe('erasing an agent', () => {
  it('leaves in the log only an event without its name, and does not touch other agents', async () => {
    const other = agent;
    await live();
    const before = await inLog(other);
    agent = { space: '7', agentId: other.agentId };
    await live();
    const { position, ...rest } = await erase();
    expect(rest).toEqual({ wasThere: true, units: 4, links: 9, documents: 2, operations: 2, events: 5 });
    expect(await inLog()).toEqual(['AgentErased']);
    const { events } = await log.store.load(memorySubjects.agent(agent));
    expect(events[0]?.data).toEqual({ space: '7', agentKey: agentKey(agent) });
    expect(position).toBe(`MEMORY:${events[0]?.position.sequence}`);
    expect(await inLog(other)).toEqual(before);
  });

  it('is refused for one that never existed, and returns the earlier position for one that is already erased', async () => {
    await expect(erase()).rejects.toMatchObject({ code: 'agent-not-found', message: 'Agent not found' });
    await live();
    const { position } = await erase();
    expect(await erase()).toMatchObject({ wasThere: false, events: 0, position });
  });

  it('is carried out without counts when they take too long', async () => {
    await live();
    uncounted.add(agent.agentId);
    expect(await erase({ countTimeoutMs: 100 })).toMatchObject({ wasThere: true, units: 0, operations: 2, events: 5 });
    expect(await inLog()).toEqual(['AgentErased']);
  });

  it('is carried out without counts when the read model has not reached the last event of the agent', async () => {
    await live();
    behind.add(agent.agentId);
    expect(await erase()).toMatchObject({ wasThere: true, units: 0, operations: 2, events: 5 });
    expect(await inLog()).toEqual(['AgentErased']);
  });

  it('is completed by the next call when one was interrupted', async () => {
    await live();
    const { find, erase: eraseAll } = eraser();
    const breaking: Eraser = {
      find,
      erase: async (sequences) => {
        await eraseAll(sequences.slice(0, 2));
        throw new Error('killed');
      },
    };
    await expect(erase({ eraser: breaking })).rejects.toThrow('killed');
    expect((await inLog()).length).toBeGreaterThan(1);
    await erase();
    expect(await inLog()).toEqual(['AgentErased']);
  });

  it('is completed by the next call when one was interrupted before the dead letters', async () => {
    const [subject = ''] = await live();
    const { revision } = await log.store.load(subject);
    const message = await messageAt(openLog(log.connection, memoryStream.name), revision);
    if (!message) throw new Error('The log has no such event');
    await writeDeadLetter(log.connection, message, { by: 'test', reason: 'unreadable' });
    const letters = deadLetters(log.connection);
    const copies = async () => (await letters.page(1, 100, 1e6)).entries.filter((letter) => letter.subject === subject);
    const breaking: DeadLetters = { ...letters, eraseCopies: () => Promise.reject(new Error('killed')) };
    await expect(erase({ deadLetters: breaking })).rejects.toThrow('killed');
    expect(await copies()).toHaveLength(1);
    expect(await erase()).toMatchObject({ wasThere: false, events: 0 });
    expect(await copies()).toEqual([]);
  });

  it('keeps the dead letter of the erasure itself, for which a read model waits', async () => {
    await live();
    const { position } = await erase();
    const sequence = Number(position.split(':')[1]);
    const message = await messageAt(openLog(log.connection, memoryStream.name), sequence);
    if (!message) throw new Error('The log has no such event');
    await writeDeadLetter(log.connection, message, { by: 'memory@1', reason: 'cannot be applied', aggregate: 'a' });
    await erase();
    const { entries: letters } = await deadLetters(log.connection).page(1, 100, 1e6);
    expect(letters.filter(({ position: of }) => of.sequence === sequence)).toHaveLength(1);
  });

  it('also erases what work in progress appends after the AgentErased event', async () => {
    const [subject = ''] = await live();
    const { revision } = await log.store.load(subject);
    const { find, erase: eraseAll } = eraser();
    const ref = { ...agent, operationId: subject.split('.').at(-1) ?? '' };
    const started: MemoryEvent = { type: 'OperationStarted', data: { ...ref, attempt: 1 } };
    let isFirst = true;
    const overtaken: Eraser = {
      find,
      erase: async (sequences) => {
        if (isFirst) await log.store.append(subject, [started], revision, context);
        isFirst = false;
        await eraseAll(sequences);
      },
    };
    await erase({ eraser: overtaken });
    expect(await inLog()).toEqual(['AgentErased']);
    await expect(log.store.append(subject, [started], revision + 1, context)).rejects.toThrow('no longer at');
  });

  it('keeps a batch that is submitted anew under the id of an erased one, with what is appended to it', async () => {
    const [subject = ''] = await live();
    const { revision } = await log.store.load(subject);
    const { find, erase: eraseAll } = eraser();
    const operationId = subject.split('.').at(-1) ?? '';
    const started: MemoryEvent = { type: 'OperationStarted', data: { ...agent, operationId, attempt: 1 } };
    let pass = 0;
    const overtaken: Eraser = {
      find,
      erase: async (sequences) => {
        pass += 1;
        if (pass === 1) await log.store.append(subject, [started], revision, context);
        await eraseAll(sequences);
        if (pass !== 2) return;
        // Its first event is gone by now.
        await submit(log, ['Alice lives in Porto.'], { ...agent, operationId });
        await log.store.append(subject, [started], await log.store.head(subject), context);
      },
    };
    await erase({ eraser: overtaken });
    expect(await inLog()).toEqual(['AgentErased', 'BatchSubmitted', 'OperationStarted']);
  });

  it('erases the agent when it is called twice concurrently', async () => {
    await live();
    const results = await Promise.allSettled([erase(), erase()]);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(new Set(await inLog())).toEqual(new Set(['AgentErased']));
  });

  it('that another one overtakes leaves what a new agent has stored since', async () => {
    await live();
    let isFirst = true;
    const append: EraseAgentDeps['store']['append'] = async (...given) => {
      if (isFirst) {
        isFirst = false;
        await erase();
        await submitOne();
      }
      return log.store.append(...given);
    };
    const { position, ...rest } = await erase({ store: { ...log.store, append } });
    expect(rest).toEqual({ wasThere: true, units: 4, links: 9, documents: 2, operations: 2, events: 0 });
    expect(await inLog()).toEqual(['AgentErased', 'BatchSubmitted']);
    expect(position).toBe(`MEMORY:${await log.store.head(memorySubjects.agent(agent))}`);
  });

  it('keeps what a new agent of the same name stores during the erasure', async () => {
    await live();
    // A document of both agents.
    const document = memorySubjects.document(agent, 'notes');
    const deleted: MemoryEvent = { type: 'DocumentDeleted', data: { ...agent, documentId: 'notes' } };
    await log.store.append(document, [deleted], 0, context);
    const { find, erase: eraseAll } = eraser();
    let isFirst = true;
    const overtaken: Eraser = {
      find,
      erase: async (sequences) => {
        if (isFirst) await submitOne();
        if (isFirst) await putAgent(log.store, agent, { personality: null, background: 'I swim.' }, context);
        if (isFirst) await log.store.append(document, [deleted], 'any', context);
        isFirst = false;
        await eraseAll(sequences);
      },
    };
    await erase({ eraser: overtaken });
    const kept = ['AgentErased', 'BatchSubmitted', 'AgentCreated', 'BackgroundReplaced', 'DocumentDeleted'];
    expect(await inLog()).toEqual(kept);
    const { profile } = await putAgent(log.store, agent, { personality: null, background: null }, context);
    expect(profile.background).toBe('I swim.');
  });
});
