import { expect, it, test } from 'vitest';
import { beginsWithRefusal, isRefusal } from './refusal.ts';

test.each([
  "I can't help with that.",
  'I can’t help with that',
  "I'm not able to assist with that request.",
  "I'm sorry, but I won't help with that.",
  'I cannot help with that.',
  "I can't assist with this request.",
  "I'm sorry, but I can't pretend to be a person.",
  "Sorry, I can't comply.",
  'I cannot comply.',
  'I am unable to comply with this request.',
  'As an AI language model, I cannot answer that question.',
  "Unfortunately, I can't help you with that. Is there anything else?",
  'I apologize, but I am not able to provide that information.',
])('%j is a refusal', (text) => {
  expect(isRefusal(text)).toBe(true);
  expect(beginsWithRefusal(text.replace(/^(?:As an AI language model|Unfortunately), /, ''))).toBe(true);
});

test.each([
  'I cannot help with legal questions; I am a travel agent.',
  "I can't help it: I love trains.",
  'I am sorry for those who live in Rome.',
  'Unfortunately, I cannot recommend the hotel.',
  'I will not do it again.',
  "I won't answer questions about prices.",
  'I think that nobody can help with that.',
  'I help with that.',
  '',
])('%j is none', (text) => {
  expect(isRefusal(text)).toBe(false);
});

it('takes no longer for a text that begins like many refusals', () => {
  const start = performance.now();
  expect(isRefusal(`${' '.repeat(100_000)}As an AI ${'I cannot '.repeat(100_000)}`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});
