import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onePerCommand } from './one-per-command.ts';
import type { RequestContext } from './request.ts';

const context = {} as RequestContext;
let carriedOut: number;
let failure: Error | undefined;
const handler = () =>
  onePerCommand<{ userId: number; commandId: string }, number>(async () => {
    carriedOut += 1;
    if (failure) throw failure;
    return carriedOut;
  });

beforeEach(() => {
  carriedOut = 0;
  failure = undefined;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const command = { userId: 1, commandId: 'c1' };

it('gives a repeated command the same answer, concurrently and right afterwards', async () => {
  const answer = handler();
  expect(await Promise.all([answer(command, context), answer(command, context)])).toEqual([1, 1]);
  expect(await answer(command, context)).toBe(1);
  expect(await answer({ ...command, userId: 2 }, context)).toBe(2);
  expect(await answer({ ...command, commandId: 'c2' }, context)).toBe(3);
});

it('carries out a failed command again', async () => {
  const answer = handler();
  failure = new Error('x');
  await expect(answer(command, context)).rejects.toThrow('x');
  failure = undefined;
  expect(await answer(command, context)).toBe(2);
});

it('forgets answers after a while', async () => {
  const answer = handler();
  await answer(command, context);
  vi.advanceTimersByTime(60_000);
  expect(await answer(command, context)).toBe(2);
});
