import { longestStallOf } from '@mneme/workers/testing';
import { expect, it } from 'vitest';
import { createRuleBackground } from './rule-background.ts';

const background = createRuleBackground();
/** The longest background that is kept, in characters. */
const longest = 64 * 1_024;
/** Usually 150 at most; what takes quadratic time takes many seconds. */
const longestStallMs = 600;
const filled = (unit: string) => unit.repeat(longest / unit.length + 1).slice(0, longest);

it.each([
  ['a favourite of one word', `My favorite ${'a'.repeat(960)}`],
  ['favourites', filled(`My favorite ${'a b '.repeat(60)}. `)],
  ['short lines', Array.from({ length: 4_000 }, (_, index) => `I like ${index}`).join('\n')],
  ['lines that share a word', Array.from({ length: 4_000 }, (_, index) => `My tea ${index} is tea.`).join('\n')],
  ['lines that share all words but one', filled('I like tea and cake and books and bread and x. ')],
  ['one-letter sentences', filled('a. ')],
  ['wide one-letter sentences', filled('б. ')],
  ['you', filled('you ')],
  ['to you', filled('to you ')],
  ['adverbs', filled('The agent always often never ')],
])('two backgrounds are merged in a moment: %s', async (_, text) => {
  const merge = () => background.merge({ current: text, addition: text });
  expect(await longestStallOf(merge, longestStallMs)).toBeLessThan(longestStallMs);
});
