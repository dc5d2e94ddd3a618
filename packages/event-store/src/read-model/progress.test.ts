import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

const follower = (position: number) => ({ await: async (sequence: number) => sequence <= position });
const progressOf = (readModel: number, ...buckets: number[]) =>
  createProgress({
    ...{ stream: 'ACCESS', readModel: follower(readModel), buckets: buckets.map(follower) },
    head: async () => 9,
  });

it('a command is confirmed when the rows and all buckets have it', async () => {
  await expect(progressOf(7, 8, 7).confirm(7)).resolves.toBeUndefined();
});

it.each([
  [6, 7, 7],
  [7, 6, 7],
  [7, 7, 6],
])('a command that is recorded and not in force everywhere is not called done: %i, %i, %i', async (...positions) => {
  const [readModel, ...buckets] = positions;
  await expect(progressOf(readModel ?? 0, ...buckets).confirm(7)).rejects.toMatchObject({
    ...{ status: 503, code: 'UNAVAILABLE' },
    message: 'The change is recorded as ACCESS:7, and it is not sure yet that it holds everywhere',
  });
});

it('a read waits for the rows alone, up to where it is told to or to the end of the log', async () => {
  await expect(progressOf(7, 0).reach(7)).resolves.toBeUndefined();
  await expect(progressOf(7, 0).reach(undefined)).resolves.toBeUndefined();
  await expect(progressOf(7).reach(8)).rejects.toMatchObject({ status: 503 });
  await expect(progressOf(7).catchUp()).rejects.toMatchObject({ status: 503 });
  await expect(progressOf(9).catchUp()).resolves.toBeUndefined();
});
