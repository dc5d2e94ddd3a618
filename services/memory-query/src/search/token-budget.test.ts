import { expect, it } from 'vitest';
import { withinTokens } from './token-budget.ts';

const units = [{ tokens: 10 }, { tokens: 50 }, { tokens: 5 }];

it('stops before the first that does not fit, even if a later one would', () => {
  expect(withinTokens(units, 20)).toEqual([{ tokens: 10 }]);
});

it('takes what fits exactly', () => {
  expect(withinTokens(units, 65)).toHaveLength(3);
  expect(withinTokens(units, 0)).toEqual([]);
});
