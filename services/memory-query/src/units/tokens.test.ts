import { expect, it } from 'vitest';
import { tokensOf } from './tokens.ts';

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
