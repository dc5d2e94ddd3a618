import { expect, it, vi } from 'vitest';
import { unreadyReasons, whenAllAnswer } from './readiness.ts';

it('tells when the last read model can answer, once', async () => {
  let memory: true | string = 'The read model memory is being built';
  const readModels = [{ readiness: () => true as const }, { readiness: () => memory }];
  const done = vi.fn();
  vi.useFakeTimers();
  const waiting = whenAllAnswer(readModels, done);
  vi.advanceTimersByTime(3_000);
  expect([unreadyReasons(readModels), done.mock.calls]).toEqual([[memory], []]);
  memory = true;
  vi.advanceTimersByTime(3_000);
  expect([unreadyReasons(readModels), done.mock.calls]).toEqual([[], [[]]]);
  waiting.stop();
  vi.useRealTimers();
});
