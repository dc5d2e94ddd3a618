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
  expect(repair.state).toContain('may be hidden');
});

it('is not said to have failed when the client does not wait for the end', async () => {
  const { repair, lines } = repairing(() =>
    Promise.reject(Object.assign(new Error('timed out'), { name: 'MongoNetworkTimeoutError' })),
  );
  repair.note(missing);
  await pause(0);
  expect(repair.state).toBe('is being made again; try again');
  expect(lines()).toEqual(['An index of a read model is gone and is made again']);
});

it('says why it has failed, and forgets that after a while', async () => {
  const { repair, lines } = repairing(() => Promise.reject(new MongoServerError({ message: 'no room' })));
  repair.note(missing);
  await pause(0);
  expect(repair.state).toBe('could not be made again: MongoDB: no room');
  expect(lines()).toHaveLength(2);
  vi.advanceTimersByTime(600_000);
  repair.note(missing);
  expect(repair.state).toContain('is being made again');
});
