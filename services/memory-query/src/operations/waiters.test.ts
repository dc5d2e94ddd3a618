import { expect, it } from 'vitest';
import type { MemoryCollections, StoredOperation } from '../read-model/rows.ts';
import { createLogWriter } from '../testing/events.ts';
import { newOperation } from './projection.ts';
import { OperationWaiters } from './waiters.ts';

const pending = newOperation(createLogWriter().submitted('a', null, 'x'), 0, null);
const settled: StoredOperation = { ...pending, status: 'completed', settledSequence: 2 };
const asked = { operationId: 'a', agentKey: pending.agentKey, submittedSequence: 1, waitMs: 5_000 };

/** Waiters over operations of which a read finds those given, in an instance that has applied the submission. */
function waitersOver(rows: readonly StoredOperation[], { isHere = true, position = 1 } = {}) {
  const reads = { count: 0 };
  const find = () => ({ toArray: async () => [...rows] });
  const collections = () => {
    reads.count += 1;
    return { operations: { find } } as unknown as MemoryCollections;
  };
  return { waiters: new OperationWaiters({ collections, isHere: () => isHere, position: () => position }), reads };
}

it('returns an operation that had ended before', async () => {
  expect(await waitersOver([settled]).waiters.wait(asked)).toEqual({ operation: settled });
});

it('is notified when this instance writes the end, without another read', async () => {
  const { waiters, reads } = waitersOver([]);
  const [first, second] = [waiters.wait(asked), waiters.wait(asked)];
  waiters.applied([pending]);
  waiters.applied([settled]);
  expect(await Promise.all([first, second])).toEqual([{ operation: settled }, { operation: settled }]);
  expect(reads.count).toBe(2);
});

it('reads nothing while this instance has yet to apply the submission', async () => {
  const { waiters, reads } = waitersOver([], { position: 0 });
  const waiting = waiters.wait(asked);
  waiters.applied([settled], (operationId) => [
    { _id: `of ${operationId}`, text: 'x', factType: 'world', item: 0, fact: 0 },
  ]);
  expect(await waiting).toMatchObject({ operation: settled, created: [{ _id: 'of a' }] });
  expect(reads.count).toBe(0);
});

it('gives up after `waitMs`', async () => {
  expect(await waitersOver([]).waiters.wait({ ...asked, waitMs: 10 })).toBeUndefined();
});

it('polls if another instance applies the events', async () => {
  const rows: StoredOperation[] = [];
  const { waiters, reads } = waitersOver(rows, { isHere: false, position: 0 });
  const waiting = waiters.wait(asked);
  await expect.poll(() => reads.count).toBeGreaterThan(2);
  rows.push(settled);
  expect(await waiting).toEqual({ operation: settled });
});

it('fails when the first read does', async () => {
  const collections = () => {
    throw new Error('MongoDB is away');
  };
  const waiters = new OperationWaiters({ collections, isHere: () => true, position: () => 1 });
  await expect(waiters.wait(asked)).rejects.toThrow('MongoDB is away');
});
