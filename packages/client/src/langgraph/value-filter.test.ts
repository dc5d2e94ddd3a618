import { expect, it } from 'vitest';
import { meets } from './value-filter.ts';

const value = { text: 'a', n: 2, list: ['x', 1], object: { a: { b: 1 } }, nothing: null };

it.each<[Record<string, unknown>, boolean]>([
  [{}, true],
  [{ text: 'a', n: 2 }, true],
  [{ text: 'a', n: 3 }, false],
  [{ n: '2' }, false],
  [{ nothing: null }, true],
  [{ missing: null }, false],
  [{ missing: undefined }, true],
  [{ constructor: Object }, false],
  [{ list: ['x', 1] }, true],
  [{ list: [1, 'x'] }, false],
  [{ object: { a: { b: 1 } } }, true],
  [{ object: { a: { b: 2 } } }, false],
  [{ object: {} }, false],
  [{ list: { 0: 'x', 1: 1 } }, false],
  [{ n: { $gt: 1, $lt: 3 } }, true],
  [{ n: { $gt: 2 } }, false],
  [{ n: { $gte: 2, $lte: 2 } }, true],
  [{ n: { $in: [1, 2] } }, true],
  [{ n: { $in: 2 } }, false],
  [{ n: { $nin: [1, 2] } }, false],
  [{ missing: { $ne: 1 } }, true],
  [{ missing: { $gt: 1 } }, false],
  [{ object: { $eq: { a: { b: 1 } } } }, true],
])('%j: %s', (filter, isMet) => {
  expect(meets(value, filter)).toBe(isMet);
});

it('an operator that does not exist is refused with those that do', () => {
  expect(() => meets(value, { n: { $like: 1 } })).toThrow(/Unknown operator \$like in a filter: use \$eq, /);
});
