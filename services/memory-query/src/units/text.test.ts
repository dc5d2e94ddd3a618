import { expect, it } from 'vitest';
import { contextWords, unitWords, wordsOf } from './text.ts';

it.each([
  ['Tea, tea & TEA!', ['tea']],
  ['D1:3', ['d1', '3']],
  ['snake_case and kebab-case', ['snake_case', 'and', 'kebab', 'case']],
  ['日本 is Japan', ['日', '本', 'is', 'japan']],
  ['…', []],
])('finds the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

const many = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');

it('takes text and context together and stops at a bound', () => {
  expect(unitWords('a c', ['b', 'c'])).toEqual(['a', 'c', 'b']);
  expect(wordsOf(many)).toHaveLength(1_000);
  expect(unitWords('a', wordsOf(many))).toHaveLength(1_000);
});

it.each([
  [1, 1_000],
  [20, 1_000],
  [100, 200],
  [500, 40],
  [1_000, 32],
  [20_000, 32],
])('keeps for each of %i facts %i words of their context', (facts, words) => {
  expect(contextWords(many, facts)).toHaveLength(words);
});
