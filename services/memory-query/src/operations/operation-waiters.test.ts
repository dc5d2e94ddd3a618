import { expect, it } from 'vitest';
import type { MemoryCollections, StoredOperation } from '../read-model/collections.ts';
import { createLogWriter } from '../testing/events.ts';
import { newOperation } from './fold-operation.ts';
import { OperationWaiters } from './operation-waiters.ts';

const pending = newOperation(createLogWriter().submitted('a', null, 'x'), null);
const settled: StoredOperation = { ...pending, status: 'completed', settledSequence: 2 };
/** A read model that never moves. */
const standing = { position: () => 1, await: () => new Promise<boolean>(() => undefined) };

/** Operations of which a read finds those given, and counts how often they are read. */
function operations(...rows: readonly StoredOperation[]) {
  const reads = { count: 0 };
  const find = () => ({ toArray: async () => [...rows] });
  const collections = () => {
    reads.count += 1;
    return { operations: { find } } as unknown as MemoryCollections;
  };
  return { collections, reads };
}

it('finds an operation that had ended before', async () => {
  const waiters = new OperationWaiters(operations(settled).collections, standing);
  expect(await waiters.wait('a', 5_000, 1)).toEqual(settled);
});

it('is told of an end by the one who writes it, without another read', async () => {
  const { collections, reads } = operations();
  const waiters = new OperationWaiters(collections, standing);
  const first = waiters.wait('a', 5_000, 1);
  const second = waiters.wait('a', 5_000, 1);
  waiters.applied([pending], 1);
  waiters.applied([settled], 2);
  expect(await Promise.all([first, second])).toEqual([settled, settled]);
  expect(reads.count).toBe(2);
});

it('does not read of an operation that the read model cannot have yet', async () => {
  const { collections, reads } = operations();
  const waiters = new OperationWaiters(collections, standing);
  const waiting = waiters.wait('a', 5_000, 2);
  expect(reads.count).toBe(0);
  waiters.applied([settled], 2);
  expect(await waiting).toEqual(settled);
});

it('reads of an operation that was told of before it was waited for', async () => {
  const waiters = new OperationWaiters(operations(settled).collections, standing);
  waiters.applied([settled], 2);
  expect(await waiters.wait('a', 5_000, 2)).toEqual(settled);
});

it('gives up after the time that it was given', async () => {
  const waiters = new OperationWaiters(operations(pending).collections, standing);
  expect(await waiters.wait('a', 10, 1)).toBeUndefined();
});

it('reads again when another instance has moved the read model', async () => {
  const moved = Promise.withResolvers<boolean>();
  const position = { value: 1 };
  const progress = { position: () => position.value, await: () => moved.promise };
  const rows: StoredOperation[] = [];
  const find = () => ({ toArray: async () => rows });
  const waiters = new OperationWaiters(() => ({ operations: { find } }) as unknown as MemoryCollections, progress);
  const waiting = waiters.wait('a', 5_000, 1);
  rows.push(settled);
  position.value = 2;
  moved.resolve(true);
  expect(await waiting).toEqual(settled);
});
