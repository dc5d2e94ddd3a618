import { expect, it } from 'vitest';
import { PointSteps } from './point-steps.ts';

const many = Array.from({ length: 100 }, (_, index) => index);

/** How many points are written after requests that took so long for each point. */
function stepAfter(...perPointMs: number[]): number {
  const steps = new PointSteps();
  for (const ms of perPointMs) {
    const { length } = steps.next(many);
    steps.note(length, ms * length);
  }
  return steps.next(many).length;
}

it('writes fewer points at a time when each takes longer, within bounds', () => {
  expect([stepAfter(), stepAfter(0.2), stepAfter(2), stepAfter(50)]).toEqual([25, 25, 10, 5]);
});

it('follows what requests take, and is not led by one of them', () => {
  expect(stepAfter(1, 1, 1, 6)).toBe(10);
  expect(stepAfter(...Array(30).fill(4), ...Array(30).fill(0.5))).toBe(25);
});

it('writes what is left', () => {
  expect(new PointSteps().next([1, 2])).toEqual([1, 2]);
});
