import { memoryQuery, memorySubjects } from '@mneme/contracts';
import { expect, it } from 'vitest';
import type { MemoryQueryDeps } from './deps.ts';
import { serveQueries } from './endpoints.ts';
import type { ReadRequirement } from './read-model/reads.ts';

const agent = { space: 'public', agentId: 'alice' };

interface LogOfAgent {
  /** The last event under the subject of the agent itself. */
  readonly head: number;
  /** The last one that says something about it: not its creation. */
  readonly lastChange?: number;
  readonly applied?: number;
}

/** The handler of `think` in an instance whose log has events of the agent; it ends with its first wait. */
function thinkAfter({ head, lastChange = 0, applied = head }: LogOfAgent) {
  const handlers = new Map<unknown, (query: unknown, context: unknown) => Promise<unknown>>();
  const required: ReadRequirement[] = [];
  const ofAgent = (subject: string, sequence: number) => (subject === memorySubjects.agent(agent) ? sequence : 99);
  const deps = {
    service: { serve: (endpoint: unknown, handler: never) => void handlers.set(endpoint, handler) },
    store: {
      head: async (subject: string) => ofAgent(subject, head),
      lastOfType: async (subject: string, isWanted: (type: string) => boolean) =>
        ['AgentErased', 'BackgroundMerged'].every(isWanted) && !isWanted('AgentCreated')
          ? ofAgent(subject, lastChange)
          : head,
    },
    readModel: { await: async (sequence: number) => sequence <= applied, position: () => applied },
    models: {},
    reads: {
      reached: async (requirement: ReadRequirement) => {
        required.push(requirement);
        throw new Error('It waits');
      },
    },
  };
  serveQueries(deps as unknown as MemoryQueryDeps);
  const think = async (minSequence?: number) => {
    const thinking = handlers.get(memoryQuery.think)?.({ ...agent, query: 'x', minSequence }, {});
    await expect(thinking).rejects.toThrow('It waits');
    return required.at(-1)?.minSequence;
  };
  return { think };
}

it('an answer is based on everything up to the last event of the agent itself, which may be its erasure', async () => {
  expect(await thinkAfter({ head: 7 }).think()).toBe(7);
  expect(await thinkAfter({ head: 7 }).think(5)).toBe(7);
  expect(await thinkAfter({ head: 7 }).think(9)).toBe(9);
  expect(await thinkAfter({ head: 0 }).think()).toBeUndefined();
});

it('where that is late, an answer waits for the last erasure or change, but not for the creation of the agent', async () => {
  expect(await thinkAfter({ head: 7, applied: 3 }).think()).toBe(3);
  expect(await thinkAfter({ head: 7, applied: 3, lastChange: 6 }).think()).toBe(6);
  expect(await thinkAfter({ head: 7, applied: 3, lastChange: 6 }).think(8)).toBe(8);
  expect(await thinkAfter({ head: 7, applied: 0 }).think()).toBeUndefined();
});

it('a wait for a position is for the agent of the event unless another one is given, and counts as a question or not', async () => {
  const handlers = new Map<unknown, (request: object) => Promise<unknown>>();
  const waits: unknown[] = [];
  const deps = {
    service: { serve: (endpoint: unknown, handler: never) => void handlers.set(endpoint, handler) },
    models: {},
    agentKeyAt: async () => 'of-event',
    readModel: {
      await: async (sequence: number, _: number, ...rest: unknown[]) => {
        waits.push([sequence, ...rest]);
        return true;
      },
    },
  };
  serveQueries(deps as unknown as MemoryQueryDeps);
  const wait = (request: object) => handlers.get(memoryQuery.awaitPosition)?.({ sequence: 7, waitMs: 5, ...request });
  expect(await wait({})).toEqual({ reached: true });
  await wait({ agentKey: 'given', isBackground: true });
  expect(waits).toEqual([
    [7, 'of-event', { isBackground: false }],
    [7, 'given', { isBackground: true }],
  ]);
});
