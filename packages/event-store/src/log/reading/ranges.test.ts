import { expect, it } from 'vitest';
import { countOf, firstOf, intersect, type Range, subtract } from './ranges.ts';

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
  expect(firstOf(intersect(one, other), 99)).toEqual([3, 5, 7, 8, 9, 12]);
  expect(firstOf(subtract(one, other), 99)).toEqual([1, 2, 6]);
  expect(firstOf(subtract(other, one), 99)).toEqual([4, 10, 11]);
});

it('of an empty list', () => {
  expect([intersect(one, []), subtract(one, []), subtract([], one)]).toEqual([[], one, []]);
  expect([countOf(one), countOf([])]).toEqual([9, 0]);
  expect(firstOf([], 3)).toEqual([]);
});

it('what is taken may reach over several, touch them or be within one', () => {
  expect(subtract(one, [[2, 6]])).toEqual([
    [1, 1],
    [7, 9],
    [12, 12],
  ]);
  expect(subtract([[1, 9]], one)).toEqual([[4, 4]]);
  expect(subtract(one, [[0, 20]])).toEqual([]);
  expect(subtract(one, one)).toEqual([]);
  expect(subtract([[10, 11]], one)).toEqual([[10, 11]]);
});

it('the count from a sequence on, and the first ones', () => {
  expect([countOf(one, 3), countOf(one, 6), countOf(one, 13)]).toEqual([7, 5, 0]);
  expect(firstOf(one, 4)).toEqual([1, 2, 3, 5]);
});
