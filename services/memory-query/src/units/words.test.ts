import { expect, it } from 'vitest';
import { wordsOf } from './words.ts';

it.each([
  ['Tea, tea & TEA!', ['tea']],
  ['D1:3', ['d1', '3']],
  ['snake_case and kebab-case', ['snake_case', 'and', 'kebab', 'case']],
  ['日本 is Japan', ['日', '本', 'is', 'japan']],
  ['…', []],
])('finds the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('takes text and context together and stops at a bound', () => {
  expect(wordsOf('a', null, 'b')).toEqual(['a', 'b']);
  const many = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
  expect(wordsOf(many)).toHaveLength(1_000);
});
