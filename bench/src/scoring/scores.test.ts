import { expect, test } from 'vitest';
import { scoresOf } from './scores.ts';

const ranked = (count: number) => Array.from({ length: count }, (_, index) => `t${index + 1}`);

test('recall counts the evidence among the first turns, and the rank is that of the first of it', () => {
  const scores = scoresOf({ turns: ranked(30), turnsInBudget: 25 }, ['t4', 't8', 't15', 't24', 'missing']);
  expect(scores).toEqual({
    recallAt5: 1 / 5,
    recallAt10: 2 / 5,
    recallAt20: 3 / 5,
    reciprocalRank: 1 / 4,
    recallInBudget: 4 / 5,
  });
});

test('evidence that is named twice counts once', () => {
  expect(scoresOf({ turns: ['a', 'b'], turnsInBudget: 2 }, ['b', 'b']).recallAt5).toBe(1);
});

test('nothing found scores zero', () => {
  const zero = { recallAt5: 0, recallAt10: 0, recallAt20: 0, reciprocalRank: 0, recallInBudget: 0 };
  expect(scoresOf({ turns: [], turnsInBudget: 0 }, ['a'])).toEqual(zero);
  expect(scoresOf({ turns: ['b'], turnsInBudget: 1 }, ['a'])).toEqual(zero);
});

test('a turn that does not fit into the budget counts among the first ones only', () => {
  const { recallAt5, recallInBudget } = scoresOf({ turns: ['a', 'b'], turnsInBudget: 1 }, ['b']);
  expect([recallAt5, recallInBudget]).toEqual([1, 0]);
});
