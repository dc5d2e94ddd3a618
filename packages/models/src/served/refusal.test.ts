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
  "I'm sorry, but I cannot provide medical advice.",
  "I'm sorry, but I can't discuss politics.",
  "I'm sorry, I can't do that because it is against my rules.",
  'I apologize, but I cannot fulfill this request.',
  "Sorry, I can't share this information.",
  "I'm sorry, but I can't continue this conversation.",
  "I'm sorry, but I can't answer questions about people.",
  "Sorry, I can't share personal information.",
  'I apologize, but I am unable to assist with planning a burglary.',
  "I'm sorry, but I cannot comply with that request.",
  "I'm not able to form opinions about this.",
  'I cannot have personal opinions.',
  'I cannot assist with forming this opinion.',
  'As a language model, I cannot have opinions.',
  "As a large language model, I can't have personal opinions about people.",
  "I'm sorry, but as an AI language model, I cannot form an opinion on that.",
])('%j is a refusal', (text) => {
  expect(isRefusal(text)).toBe(true);
  expect(beginsWithRefusal(text.replace(/^(?:As an? (?:AI|large)? ?language model|Unfortunately), /, ''))).toBe(true);
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
  "I'm sorry, but I can't stand jazz.",
  'Sorry, I cannot trust Ben with money.',
  "I'm sorry, but I can't help loving jazz.",
  "Sorry, I can't help it: I love trains.",
  "Sorry, I can't pretend to like jazz.",
  "I'm sorry, but I can't share Anna's love of jazz.",
  'I cannot share that opinion.',
  "Sorry, I can't share your strong belief in jazz.",
  "Sorry, I can't do this job any longer.",
  'Sorry, I cannot do without coffee.',
  "I'm sorry, but I can't answer for Ben.",
  'I cannot form opinions about people quickly.',
  'I will not have opinions forced on me.',
  "I'm sorry, but I won't fly again.",
  '',
])('%j is none', (text) => {
  expect(isRefusal(text)).toBe(false);
});

it('takes no longer for a text that begins like many refusals', () => {
  const start = performance.now();
  expect(isRefusal(`${' '.repeat(100_000)}As an AI ${'I cannot '.repeat(100_000)}`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});
