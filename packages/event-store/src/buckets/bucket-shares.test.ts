import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { createBucketShares } from './bucket-shares.ts';

const hourMs = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A bucket of 1,000 bytes that someone fills with as many parts of 10 bytes as one may. */
function startShares() {
  let [now, size] = [0, 0];
  const shares = createBucketShares({
    freeBytes: async () => 1_000 - size,
    factor: 1,
    ttlMs: 24 * hourMs,
    clock: () => now,
  });
  return {
    ...shares,
    later: (ms: number) => (now += ms),
    /** Lets it measure again, which it does while the last measurement is used. */
    measured: async () => {
      now += 1_000;
      await shares.take('nobody', 0);
      await yieldToEventLoop();
    },
    /** What has expired, or another gateway has added. */
    changeSize: (by: number) => (size += by),
    fill: async (name: string) => {
      let bytes = 0;
      while (await shares.take(name, 10)) {
        size += 10;
        bytes += 10;
      }
      return bytes;
    },
  };
}

it('one alone gets half of the bucket, and the next ones half of what is left', async () => {
  const { fill } = startShares();
  expect([await fill('a'), await fill('a'), await fill('b'), await fill('c')]).toEqual([500, 0, 250, 130]);
});

it('counts what is being added, and not what was given back', async () => {
  const { take, giveBack } = startShares();
  const taken = await Promise.all([1, 2, 3].map(() => take('a', 250)));
  expect(taken).toEqual([true, true, false]);
  giveBack('a', 250);
  expect(await take('a', 250)).toBe(true);
});

it('counts what others have added once it measures again', async () => {
  const { fill, changeSize, measured } = startShares();
  await fill('a');
  changeSize(300);
  await measured();
  expect(await fill('b')).toBe(100);
});

it('what someone has added counts until it has expired, by the hour', async () => {
  const { fill, changeSize, later, measured } = startShares();
  await fill('a');
  later(23 * hourMs);
  expect(await fill('a')).toBe(0);
  changeSize(-500);
  later(hourMs);
  await measured();
  expect(await fill('a')).toBe(250);
  later(hourMs);
  expect(await fill('a')).toBe(250);
});

it('measures again, and forgets what has expired, although the clock of the machine was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  let free = 1_000;
  const { take } = createBucketShares({ freeBytes: async () => free, factor: 1, ttlMs: 24 * hourMs });
  expect([await take('a', 500), await take('a', 500)]).toEqual([true, false]);
  vi.setSystemTime(Date.now() - 48 * hourMs);
  vi.advanceTimersByTime(25 * hourMs);
  free = 600;
  await take('nobody', 0);
  await yieldToEventLoop();
  expect([await take('a', 600), await take('a', 1)]).toEqual([true, false]);
});
