import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefresh } from './create-refresh.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A refresh whose runs end when the test says so. */
function setUp() {
  const runs: (() => void)[] = [];
  const refresh = createRefresh(() => new Promise<void>((resolve) => runs.push(resolve)), 1_000);
  const finish = async () => {
    runs.at(-1)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { refresh, runs, finish };
}

test('requests during a run lead to one more, a pause after the run has ended', async () => {
  const { refresh, runs, finish } = setUp();
  refresh.request();
  expect(runs).toHaveLength(1);
  for (let times = 0; times < 20; times += 1) {
    refresh.request();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(runs).toHaveLength(1);
  await finish();
  await vi.advanceTimersByTimeAsync(999);
  expect(runs).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toHaveLength(2);
  await finish();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toHaveLength(2);
  refresh.request();
  expect(runs).toHaveLength(3);
});

test('nothing runs after the end', async () => {
  const { refresh, runs, finish } = setUp();
  refresh.request();
  refresh.request();
  await finish();
  refresh.end();
  await vi.advanceTimersByTimeAsync(10_000);
  refresh.request();
  expect(runs).toHaveLength(1);
});
