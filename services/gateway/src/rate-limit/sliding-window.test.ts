import { expect, it } from 'vitest';
import {
  countOf,
  momentOf,
  secondsUntilBelow,
  secondsUntilLess,
  type Window,
  windowAt,
  withCount,
  writtenAt,
} from './sliding-window.ts';

it('counts what happened less than 60 s ago', () => {
  const window: Window = [[100_000, 3]];
  expect(countOf(windowAt(window, 159_999))).toBe(3);
  expect(countOf(windowAt(window, 160_000))).toBe(0);
});

it('keeps one count per quarter of a second, by the last of it, oldest first', () => {
  expect(withCount(withCount(withCount([], 5_000, 1), 5_249, 2), 5_250, 4)).toEqual([
    [5_249, 3],
    [5_250, 4],
  ]);
});

it('never goes back behind the newest time, whatever the own clock says', () => {
  expect(momentOf(90_000, [[100_000, 1]])).toBe(100_000);
  expect(momentOf(100_999, [])).toBe(100_999);
});

it('counts what is far ahead of the time of its writing as of then, and keeps the rest', () => {
  const window: Window = [
    [100_000, 3],
    [3_700_000, 2],
  ];
  expect(writtenAt(window, 110_000)).toEqual([
    [100_000, 3],
    [110_000, 2],
  ]);
  expect(writtenAt([[115_000, 1]], 110_000)).toEqual([[115_000, 1]]);
});

it('says when the count falls below a limit, also one that was lowered', () => {
  const window: Window = [
    [100_000, 3],
    [110_000, 2],
    [130_000, 5],
  ];
  expect(secondsUntilBelow(window, 11, 130_000)).toBe(0);
  expect(secondsUntilBelow(window, 10, 130_000)).toBe(30);
  expect(secondsUntilBelow(window, 7, 130_000)).toBe(40);
  expect(secondsUntilBelow(window, 1, 130_000)).toBe(60);
  expect(secondsUntilLess(window, 159_999)).toBe(1);
});
