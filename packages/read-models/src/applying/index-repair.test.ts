import { setTimeout as pause } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReadModelLogger } from '../definition.ts';
import { IndexRepair } from './index-repair.ts';

const missing = new MongoServerError({ message: 'hint provided does not correspond to an existing index', code: 2 });

/** @param createIndexes what the store does */
function repairing(createIndexes: () => Promise<void>) {
  const warn = vi.fn();
  const attempts = vi.fn(createIndexes);
  const logger = { warn } as unknown as ReadModelLogger;
  const { signal } = new AbortController();
  const repair = new IndexRepair({ key: 'sums@1', store: { createIndexes: attempts }, signal, logger });
  const lines = () => warn.mock.calls.map(([, line]) => line);
  return { repair, attempts, lines };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('is tried every ten seconds, and nothing else has it tried', async () => {
  const { repair, attempts } = repairing(async () => undefined);
  repair.note(new Error('No wind'));
  expect(attempts).not.toHaveBeenCalled();
  for (let second = 0; second <= 20; second += 1) {
    repair.note(missing);
    await pause(0);
    vi.advanceTimersByTime(1_000);
  }
  expect(attempts).toHaveBeenCalledTimes(3);
  expect(repair.stateFor(performance.now())).toContain('may be hidden');
});

it('is not said to have failed when the client does not wait for the end', async () => {
  const { repair, lines } = repairing(() =>
    Promise.reject(Object.assign(new Error('timed out'), { name: 'MongoNetworkTimeoutError' })),
  );
  repair.note(missing);
  await pause(0);
  expect(repair.stateFor(performance.now())).toBe('is being made again; try again');
  expect(lines()).toEqual(['An index of a read model is gone and is made again']);
});

it('says why it has failed, also while it is tried again', async () => {
  let build = Promise.withResolvers<void>();
  const { repair, lines } = repairing(() => build.promise);
  const asked = () => {
    repair.note(missing);
    return repair.stateFor(performance.now());
  };
  expect(asked()).toBe('is being made again; try again');
  build.reject(new MongoServerError({ message: 'no room' }));
  await pause(0);
  expect(asked()).toBe('could not be made again: MongoDB: no room');
  expect(lines()).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  build = Promise.withResolvers();
  expect(asked()).toBe('is being made again; try again. It could not be made before: MongoDB: no room');
  build.resolve();
  await pause(0);
  expect(asked()).toBe('is being made again; try again');
});

it('is said to be hidden only to a query that began after it was made', async () => {
  let build = Promise.withResolvers<void>();
  const { repair } = repairing(() => build.promise);
  const beganAt = performance.now();
  vi.advanceTimersByTime(1);
  repair.note(missing);
  build.resolve();
  await pause(0);
  expect(repair.stateFor(beganAt)).toBe('is being made again; try again');
  vi.advanceTimersByTime(1);
  expect(repair.stateFor(performance.now())).toContain('may be hidden');
  vi.advanceTimersByTime(300_000);
  build = Promise.withResolvers();
  repair.note(missing);
  expect(repair.stateFor(performance.now())).toBe('is being made again; try again');
});
