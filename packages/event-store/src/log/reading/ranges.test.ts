import { expect, it } from 'vitest';
import { countOf, intersect, type Range, sequencesOf, subtract } from './ranges.ts';

const one: Range[] = [
  [1, 3],
  [5, 9],
  [12, 12],
];
const other: Range[] = [
  [3, 5],
  [7, 12],
];

it('what is in both lists, and what is in one of them only', () => {
  expect(sequencesOf(intersect(one, other))).toEqual([3, 5, 7, 8, 9, 12]);
  expect(sequencesOf(subtract(one, other))).toEqual([1, 2, 6]);
  expect(sequencesOf(subtract(other, one))).toEqual([4, 10, 11]);
});

it('of an empty list', () => {
  expect([intersect(one, []), subtract(one, []), subtract([], one)]).toEqual([[], one, []]);
  expect([countOf(one), countOf([])]).toEqual([9, 0]);
});
