import { expect, it } from 'vitest';
import { shareOfPairs, wordPairsOf } from './word-pairs.ts';

it('counts each pair once, in its order', () => {
  const pairs = wordPairsOf([1, 2, 3, 1, 2]);
  expect(shareOfPairs(pairs, [9, 1, 2, 9])).toBeCloseTo(1 / 3);
  expect(shareOfPairs(pairs, [2, 1])).toBe(0);
  expect(shareOfPairs(pairs, [1, 2, 3, 1])).toBe(1);
});

it('finds nothing where there are no pairs', () => {
  expect(shareOfPairs(wordPairsOf([1]), [1, 1])).toBe(0);
  expect(shareOfPairs(wordPairsOf([1, 1]), [1, 1])).toBe(0);
  expect(shareOfPairs(wordPairsOf([1, 2]), [])).toBe(0);
});
