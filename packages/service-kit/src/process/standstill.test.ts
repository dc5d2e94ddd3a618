import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Standstill } from './standstill.ts';

let nowMs = 0;
let standstill: Standstill;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  standstill = new Standstill(() => nowMs);
});
afterEach(() => {
  standstill.stop();
  vi.useRealTimers();
});

/** The process runs, or is only busy. */
function run(ms: number): void {
  for (let passed = 0; passed < ms; passed += 500) {
    nowMs += 500;
    vi.advanceTimersByTime(500);
  }
}

it('a process that runs reads nothing old', () => {
  run(5_000);
  nowMs += 900;
  expect(standstill.ageMs()).toBe(0);
});

it.each([
  ['before the timer', () => undefined],
  ['after the timer', () => vi.advanceTimersByTime(1_000)],
])('what is read right after a standstill may be as old as it: %s', (_, wake) => {
  run(2_000);
  nowMs += 46_000;
  wake();
  expect(standstill.ageMs()).toBe(45_000);
  run(1_500);
  expect(standstill.ageMs()).toBe(45_000);
  run(1_000);
  expect(standstill.ageMs()).toBe(0);
});

it('what is read after a long standstill stays as old when shorter ones follow', () => {
  run(2_000);
  nowMs += 46_000;
  expect(standstill.ageMs()).toBe(45_000);
  nowMs += 1_300;
  expect(standstill.ageMs()).toBe(45_000);
  nowMs += 3_000;
  expect(standstill.ageMs()).toBe(47_000);
  run(2_500);
  expect(standstill.ageMs()).toBe(0);
});
