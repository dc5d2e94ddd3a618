import { agentKey, type Endpoint, type MemoryEvent, memorySubjects, WireError } from '@mneme/contracts';
import type { EventStore } from '@mneme/event-store';
import { waitUntil } from '@mneme/local-stack/testing';
import type { Client } from '@mneme/service-kit';
import { expect, it } from 'vitest';
import { Backlog } from './backlog.ts';

const alice = { space: '7', agentId: 'alice' };
const bob = { space: '7', agentId: 'bob' };
const key = agentKey(alice);

/** A read model that applies events when it is told to, and a backlog for it. */
function start(longestMs?: number) {
  const asked: number[] = [];
  const requests: object[] = [];
  const warnings: unknown[] = [];
  const waiting = new Map<number, PromiseWithResolvers<{ reached: boolean }>>();
  const request = (endpoint: Endpoint<{ sequence: number }, unknown>, body: { sequence: number }) => {
    const { sequence } = endpoint.request.parse(body);
    requests.push(body);
    asked.push(sequence);
    const answer = Promise.withResolvers<{ reached: boolean }>();
    waiting.set(sequence, answer);
    return answer.promise;
  };
  const backlog = new Backlog({
    client: { request } as unknown as Pick<Client, 'request'>,
    logger: { warn: (...line: unknown[]) => void warnings.push(line) },
    most: 1_000,
    countOf: (event) => (event.type === 'FactsExtracted' ? event.data.facts.length : 0),
    ...(longestMs !== undefined && { longestMs }),
  });
  const append = async (_: string, __: unknown, sequence: number) => ({ stream: 'MEMORY', sequence });
  const store = backlog.counting({ append } as unknown as EventStore<MemoryEvent>);
  return {
    backlog,
    asked,
    requests,
    warnings,
    /** Stores so many facts of an agent at a sequence. */
    stored: async (agent: typeof alice, count: number, sequence: number) => {
      const facts = { type: 'FactsExtracted', data: { facts: Array(count) } } as unknown as MemoryEvent;
      await store.append(memorySubjects.operation(agent, 'o'), [facts], sequence, { correlationId: 'test' });
    },
    /** @param sequence for which it was asked */
    answer: (sequence: number, reached: boolean) => waiting.get(sequence)?.resolve({ reached }),
    fail: (sequence: number, error: Error = new Error('Broken')) => waiting.get(sequence)?.reject(error),
  };
}

it('is long while more facts of an agent than it may have are not applied', async () => {
  const { backlog, asked, stored, answer } = start();
  await stored(alice, 500, 10);
  await stored(bob, 500, 11);
  expect([backlog.isLong(key), asked]).toEqual([false, []]);
  await stored(alice, 600, 12);
  await stored(alice, 600, 13);
  expect([backlog.isLong(key), asked]).toEqual([true, [10]]);
  answer(10, true);
  await waitUntil(() => asked.length === 2);
  expect([backlog.isLong(key), asked]).toEqual([true, [10, 12]]);
  answer(12, true);
  await waitUntil(() => !backlog.isLong(key));
  await stored(alice, 600, 14);
  expect([backlog.isLong(key), asked]).toEqual([true, [10, 12, 13]]);
});

it('asks for small batches together', async () => {
  const { backlog, asked, stored, answer } = start();
  for (let sequence = 1; sequence <= 1_001; sequence += 1) await stored(alice, 1, sequence);
  expect(asked).toEqual([100]);
  answer(100, true);
  await waitUntil(() => !backlog.isLong(key));
});

it('is never long while the read model keeps up, since it is asked before', async () => {
  const { backlog, asked, stored, answer } = start();
  for (let sequence = 1; sequence <= 5_000; sequence += 1) {
    await stored(alice, 1, sequence);
    answer(asked.at(-1) ?? 0, true);
    await Promise.resolve();
    expect(backlog.isLong(key)).toBe(false);
  }
});

it('asks about the agent, and as no caller does that waits', async () => {
  const { requests, stored } = start();
  await stored(alice, 1_001, 5);
  expect(requests).toEqual([{ agentKey: key, sequence: 5, waitMs: expect.any(Number), isBackground: true }]);
});

it('asks again when the read model is not as far', async () => {
  const { backlog, asked, stored, answer } = start();
  await stored(alice, 1_001, 5);
  answer(5, false);
  await waitUntil(() => asked.length === 2);
  expect(backlog.isLong(key)).toBe(true);
});

it.each([
  ['when the read model is away', 60_000, (model: ReturnType<typeof start>) => model.fail(5)],
  ['after the longest time', 1, (model: ReturnType<typeof start>) => model.answer(5, false)],
])('holds nothing back %s, and counts anew', async (_, longestMs, end) => {
  const model = start(longestMs);
  await model.stored(alice, 1_001, 5);
  end(model);
  await waitUntil(() => !model.backlog.isLong(key));
  await model.stored(alice, 1_000, 6);
  expect(model.backlog.isLong(key)).toBe(false);
});

it('warns of an error, but not where an event of the agent could not be applied, which the read model tells', async () => {
  const { backlog, stored, fail, warnings } = start();
  await stored(alice, 1_001, 5);
  fail(5, new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message: 'Behind' }));
  await waitUntil(() => !backlog.isLong(key));
  expect(warnings).toEqual([]);
  await stored(alice, 1_001, 6);
  fail(6);
  await waitUntil(() => warnings.length === 1);
  expect(backlog.isLong(key)).toBe(false);
});
