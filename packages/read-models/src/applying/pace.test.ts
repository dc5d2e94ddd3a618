import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace } from './pace.ts';

const minuteMs = 60_000;
let isAsked = true;
let unusedMs = 0;

beforeEach(() => {
  isAsked = true;
  unusedMs = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => vi.useRealTimers());

function startPace(signal = new AbortController().signal): Pace {
  return new Pace({
    limits: undefined,
    batchesAtOnce: 4,
    isToGiveWay: () => isAsked,
    unusedMs: () => unusedMs,
    signal,
  });
}

/** Whether it rests after a batch, by the clock on the wall. */
async function rests(pace: Pace): Promise<boolean> {
  const startedAt = Date.now();
  await pace.restAfter(50, false);
  return Date.now() - startedAt > 80;
}

it('applies little at a time and rests while others are to go first, and only then', async () => {
  const pace = startPace();
  expect(pace.speed).toMatchObject({ batchesAtOnce: 1, maxEvents: 25 });
  expect(await rests(pace)).toBe(true);
  isAsked = false;
  expect(pace.speed).toMatchObject({ batchesAtOnce: 4, maxEvents: 500 });
  expect(await rests(pace)).toBe(false);
});

it('goes on giving way while it comes closer to the head each time', async () => {
  const pace = startPace();
  pace.note(0, 1_000);
  for (const [position, minutes] of [
    [1_000, 8],
    [1_400, 4],
    [1_600, 2],
  ] as const) {
    vi.advanceTimersByTime(minutes * minuteMs);
    pace.note(position, position + 400);
  }
  expect(await rests(pace)).toBe(true);
});

it('rests no more, and then goes as fast as it can, when it would never catch up', async () => {
  const pace = startPace();
  pace.note(0, 1_000);
  vi.advanceTimersByTime(minuteMs);
  pace.note(1_000, 2_000);
  vi.advanceTimersByTime(minuteMs);
  pace.note(2_000, 3_000);
  expect([await rests(pace), pace.speed.batchesAtOnce]).toEqual([false, 1]);
  vi.advanceTimersByTime(minuteMs);
  pace.note(3_000, 4_000);
  expect([await rests(pace), pace.speed.batchesAtOnce]).toEqual([false, 4]);
  vi.advanceTimersByTime(1_000);
  pace.note(4_000, 4_001);
  expect(await rests(pace)).toBe(true);
});

it('rests longer after what no caller waits for while questions come, and not at all when none do', async () => {
  isAsked = false;
  const pace = startPace();
  const restMs = async (isAwaited = false) => {
    const startedAt = Date.now();
    await pace.restAfterMaintenance(100, isAwaited);
    return Date.now() - startedAt;
  };
  expect(await restMs()).toBeGreaterThan(280);
  const awaited = await restMs(true);
  expect(awaited).toBeGreaterThan(90);
  expect(awaited).toBeLessThan(280);
  unusedMs = minuteMs;
  expect(await restMs()).toBeLessThan(90);
});

it('rests a little after a large batch while questions come', async () => {
  isAsked = false;
  const startedAt = Date.now();
  await startPace().restAfter(100, true);
  expect(Date.now() - startedAt).toBeGreaterThan(40);
});

describe('a large batch', () => {
  beforeEach(() => {
    isAsked = false;
    vi.useRealTimers();
  });

  it('waits between its steps until a question that has just come should be answered, and rests less for it', async () => {
    const askedAt = performance.now();
    const pace = new Pace({
      limits: undefined,
      batchesAtOnce: 4,
      isToGiveWay: () => false,
      unusedMs: () => performance.now() - askedAt,
      signal: new AbortController().signal,
    });
    await pace.giveWay(true)?.();
    expect(performance.now() - askedAt).toBeGreaterThan(38);
    const calledAt = performance.now();
    await pace.giveWay(true)?.();
    await pace.restAfter(80, true);
    expect(performance.now() - calledAt).toBeLessThan(20);
  });

  it.each([
    ['half a second', false, 480, 1_500],
    ['a tenth of a second where somebody waits for it,', true, 90, 400],
  ])('waits for %s in all, however many questions come', async (_time, isAwaited, leastMs, mostMs) => {
    const pace = startPace();
    const startedAt = performance.now();
    for (let step = 0; step < 100; step += 1) await pace.giveWay(true, isAwaited)?.();
    expect(performance.now() - startedAt).toBeGreaterThan(leastMs);
    expect(performance.now() - startedAt).toBeLessThan(mostMs);
  });

  it('waits for no one when no questions come, nor does a small one', () => {
    expect(startPace().giveWay(false)).toBeUndefined();
    unusedMs = 2_000;
    expect(startPace().giveWay(true)).toBeUndefined();
  });
});

it('ends a rest when everything is stopped', async () => {
  const stopping = new AbortController();
  const pace = startPace(stopping.signal);
  const resting = pace.restAfter(100, false);
  stopping.abort();
  await expect(resting).resolves.toBeUndefined();
});
