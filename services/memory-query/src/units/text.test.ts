import { expect, it } from 'vitest';
import { contextWords, splitWords, tokensOf, unitWords, wordsOf } from './text.ts';

it.each([
  ['Tea, tea & TEA!', ['tea']],
  ['D1:3', ['d1', '3']],
  ['snake_case and kebab-case', ['snake_case', 'and', 'kebab', 'case']],
  ['日本 is Japan', ['日', '本', 'is', 'japan']],
  ['用iPhone打电话', ['用', 'iphone', '打', '电', '话']],
  ['3月5日', ['3', '月', '5', '日']],
  ['コーヒー', ['コ', 'ー', 'ヒ']],
  ['Łukasz in Córdoba', ['lukasz', 'in', 'cordoba']],
  ['…', []],
  ['cafe\u0301 and ＡＢＣ', ['cafe', 'and', 'abc']],
  [`${'a'.repeat(70)} 1`, ['a'.repeat(64), '1']],
  [`a${'\u{10330}'.repeat(70)}`, [`a${'\u{10330}'.repeat(63)}`]],
])('finds the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

const many = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');

it('joins the words of text and context up to a bound', () => {
  expect(unitWords('a c', ['b', 'c'])).toBe(' a c b ');
  expect(splitWords(unitWords('a c', ['b']))).toEqual(['a', 'c', 'b']);
  expect(splitWords(unitWords('…', []))).toEqual([]);
  expect(wordsOf(many)).toHaveLength(1_000);
  expect(splitWords(unitWords('a', wordsOf(many)))).toHaveLength(1_000);
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

it.each([
  ['', 0],
  ['hello world', 2],
  ['<|endoftext|>', 7],
])('counts the cl100k tokens of %j', (text, tokens) => {
  expect(tokensOf(text)).toBe(tokens);
});

it('takes linear time on a long text without spaces', () => {
  expect(tokensOf('a'.repeat(100_000))).toBeGreaterThan(10_000);
});
