import { expect, it } from 'vitest';
import { AdaptiveBatchSize } from './adaptive-batch-size.ts';

/** The size after requests that took that many milliseconds for each point. */
function sizeAfter(...perPointMs: number[]): number {
  const batch = new AdaptiveBatchSize();
  for (const ms of perPointMs) batch.note(batch.size, ms * batch.size);
  return batch.size;
}

it('is smaller when each point takes longer, within bounds', () => {
  expect([sizeAfter(), sizeAfter(0.2), sizeAfter(2), sizeAfter(50)]).toEqual([25, 25, 10, 5]);
});

it('follows what requests take, and is not led by one of them', () => {
  expect(sizeAfter(1, 1, 1, 6)).toBe(10);
  expect(sizeAfter(...Array(30).fill(4), ...Array(30).fill(0.5))).toBe(25);
});

it('learns nothing from a request with few points, which is mostly overhead', () => {
  const batch = new AdaptiveBatchSize();
  batch.note(1, 100);
  expect(batch.size).toBe(25);
});
