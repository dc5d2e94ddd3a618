import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onePerCommand } from './one-per-command.ts';
import type { RequestContext } from './request.ts';

const context = { signal: new AbortController().signal } as RequestContext;
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

it('is aborted when no caller waits for it any more, and then carried out for who comes after', async () => {
  let signal = context.signal;
  const answer = onePerCommand<typeof command, number>((_, control) => {
    const own = control.signal;
    signal = own;
    return new Promise((_resolve, reject) => {
      own.addEventListener('abort', () => setTimeout(() => reject(own.reason), 10));
    });
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [first, second].map((caller) => answer(command, { ...context, signal: caller.signal }));
  const left = Promise.allSettled(waiting);
  first.abort(new Error('left'));
  expect(signal.aborted).toBe(false);
  second.abort(new Error('left too'));
  expect(signal.aborted).toBe(true);
  void answer(command, context);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(10);
  expect(await left).toMatchObject([{ reason: { message: 'left too' } }, { reason: { message: 'left too' } }]);
});
