import { expect, it } from 'vitest';
import { countOf, secondOf, secondsUntilBelow, type Window, windowAt, withCount } from './sliding-window.ts';

it('counts what happened within any 60 s: the end of its second to the begin of a later one', () => {
  const window: Window = [[100, 3]];
  // Something at 100.999 s and something at 160.0 s are less than 60 s apart.
  expect(countOf(windowAt(window, 160))).toBe(3);
  expect(countOf(windowAt(window, 161))).toBe(0);
});

it('keeps one count per second, oldest first', () => {
  expect(withCount(withCount(withCount([], 5, 1), 5, 2), 7, 4)).toEqual([
    [5, 3],
    [7, 4],
  ]);
});

it('never goes behind the newest second, whatever the own clock says', () => {
  expect(secondOf(90_000, [[100, 1]])).toBe(100);
  expect(secondOf(100_999, [])).toBe(100);
});

it('says when the count falls below a limit, also one that was lowered', () => {
  const window: Window = [
    [100, 3],
    [110, 2],
    [130, 5],
  ];
  expect(secondsUntilBelow(window, 11, 130)).toBe(0);
  expect(secondsUntilBelow(window, 10, 130)).toBe(31);
  expect(secondsUntilBelow(window, 7, 130)).toBe(41);
  expect(secondsUntilBelow(window, 1, 130)).toBe(61);
});
