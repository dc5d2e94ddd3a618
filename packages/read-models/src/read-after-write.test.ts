import { expect, it, vi } from 'vitest';
import { behind } from './errors.ts';
import { findLasting, readAfterWrite } from './read-after-write.ts';

const follower = (position: number) => ({ await: async (sequence: number) => sequence <= position });
const readModel = (position: number, deferred?: string) => ({
  ...follower(position),
  awaitEvent: async (sequence: number) => sequence <= position,
  assertCurrent: (aggregate: string) => {
    if (aggregate === deferred) throw behind('could not be applied');
  },
  assertIntact: async () => undefined,
});
const followedAt = (position: number, ...buckets: number[]) =>
  readAfterWrite({
    stream: 'ACCESS',
    readModel: readModel(position),
    buckets: buckets.map((each) => readModel(each)),
    store: { head: async () => 9 },
  });
const isBehind = { status: 503, code: 'READ_MODEL_BEHIND' };

it('a command is confirmed when the rows and all buckets have it', async () => {
  await expect(followedAt(7, 8, 7).confirm('subject', { stream: 'ACCESS', sequence: 7 })).resolves.toEqual({
    stream: 'ACCESS',
    sequence: 7,
  });
});

it.each([
  [6, 7, 7],
  [7, 6, 7],
  [7, 7, 6],
])('a command that is recorded and not in force everywhere is not called done: %i, %i, %i', async (...positions) => {
  const [position, ...buckets] = positions;
  await expect(
    followedAt(position ?? 0, ...buckets).confirm('subject', { stream: 'ACCESS', sequence: 7 }),
  ).rejects.toMatchObject({
    ...isBehind,
    message: 'The change is recorded as ACCESS:7, and it is not sure yet that it holds everywhere',
  });
});

it('a bucket that refuses while the aggregate is looked up refuses the command, and ends no process', async () => {
  const refusal = behind('could not be applied');
  const unhandled = vi.fn();
  process.once('unhandledRejection', unhandled);
  const progress = readAfterWrite({
    stream: 'ACCESS',
    readModel: readModel(7),
    buckets: [{ awaitEvent: () => Promise.reject(refusal) }],
    store: { head: async () => 9 },
    aggregateOf: (subject) => new Promise((resolve) => setImmediate(resolve, subject)),
  });
  await expect(progress.confirm('subject', { stream: 'ACCESS', sequence: 7 })).rejects.toBe(refusal);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it('a read waits for the rows alone, up to where it is told to or to the end of the log', async () => {
  await expect(followedAt(7, 0).reach(7)).resolves.toBeUndefined();
  await expect(followedAt(7, 0).reach(undefined)).resolves.toBeUndefined();
  await expect(followedAt(7).reach(8)).rejects.toMatchObject(isBehind);
  await expect(followedAt(7).catchUp()).rejects.toMatchObject(isBehind);
  await expect(followedAt(9).catchUp()).resolves.toBeUndefined();
});

it('a row is not called missing while an event of its aggregate could not be applied', async () => {
  const progress = readAfterWrite({
    stream: 'ACCESS',
    readModel: readModel(9, 'a'),
    buckets: [],
    store: { head: async () => 9 },
  });
  const nothing = async () => null;
  await expect(findLasting({ progress }, 'a', nothing)).rejects.toMatchObject(isBehind);
  await expect(findLasting({ progress }, 'b', nothing)).resolves.toBeUndefined();
  await expect(findLasting({ progress }, 'a', async () => 'row')).resolves.toBe('row');
});
