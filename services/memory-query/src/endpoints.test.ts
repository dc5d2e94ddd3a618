import { memoryQuery, memorySubjects } from '@mneme/contracts';
import { expect, it } from 'vitest';
import type { MemoryQueryDeps } from './deps.ts';
import { serveQueries } from './endpoints.ts';
import type { ReadRequirement } from './read-model/reads.ts';

const agent = { space: 'public', agentId: 'alice' };

/** The handler of `think` in an instance whose log has an event of the agent at a sequence; it ends with its first wait. */
function thinkAfter(lastOfAgent: number) {
  const handlers = new Map<unknown, (query: unknown, context: unknown) => Promise<unknown>>();
  const required: ReadRequirement[] = [];
  const deps = {
    service: { serve: (endpoint: unknown, handler: never) => void handlers.set(endpoint, handler) },
    store: { head: async (subject: string) => (subject === memorySubjects.agent(agent) ? lastOfAgent : 99) },
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
  expect(await thinkAfter(7).think()).toBe(7);
  expect(await thinkAfter(7).think(5)).toBe(7);
  expect(await thinkAfter(7).think(9)).toBe(9);
  expect(await thinkAfter(0).think()).toBeUndefined();
});
