import { readFile } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTimeSlice, mapInSlices, yieldToEventLoop } from './time-slices.ts';

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a turn is over after some milliseconds, and the next one begins after other work', async () => {
  // By a clock that another process cannot advance.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slice = createTimeSlice();
  expect(slice.isOver()).toBe(false);
  vi.advanceTimersByTime(11);
  expect(slice.isOver()).toBe(true);
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await slice.next();
  expect(hadTurn).toBe(true);
  expect(slice.isOver()).toBe(false);
});

test('the first turn of others comes as soon where the work began with something that was read', async () => {
  let hadTurn = false;
  const began = Promise.withResolvers<void>();
  readFile(import.meta.filename, () => {
    setTimeout(() => (hadTurn = true));
    work(6);
    yieldToEventLoop().then(began.resolve);
  });
  await began.promise;
  expect(hadTurn).toBe(true);
});

test('many items are mapped in order, with turns for others between them', async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  const mapped = await mapInSlices([1, 2, 3, 4, 5, 6], (item) => {
    work(6);
    return item * 2;
  });
  clearInterval(counting);
  expect(mapped).toEqual([2, 4, 6, 8, 10, 12]);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('of several long works only one goes on in each turn of the event loop', async () => {
  let goneOn = 0;
  const perTurn: number[] = [];
  const long = async () => {
    await yieldToEventLoop();
    goneOn += 1;
  };
  const works = Promise.all([long(), long(), long()]);
  while (goneOn < 3) {
    const before = goneOn;
    await new Promise((resolve) => setImmediate(resolve));
    perTurn.push(goneOn - before);
  }
  await works;
  expect(Math.max(...perTurn)).toBe(1);
});
