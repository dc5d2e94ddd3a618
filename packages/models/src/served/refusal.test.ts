import { expect, it, test } from 'vitest';
import { beginsWithApology, beginsWithRefusal, isRefusal } from './refusal.ts';

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
  "I'm sorry, but I cannot merge these texts.",
  "Sorry, I can't add that to the background.",
  "I'm sorry, but I can't update this opinion.",
  "I'm sorry, but I can't revise opinions about real people.",
  "Sorry, I can't.",
  "I'm sorry, but I can't support this request.",
  "I'm really sorry, but I cannot give medical advice.",
  "I'm sorry, but I can't make judgments about private individuals.",
  "I'm sorry, but I won't be able to help with that.",
  "I'm sorry, but I can't share personal opinions.",
  "I'm sorry, but I can't accept this request.",
  "I'm sorry, but I can't see the texts.",
  "I'm sorry, but I can't find any information in the text.",
  "I'm sorry, but I can't take sides in this conflict.",
  "I'm sorry, but I can't summarize that.",
  "I'm sorry, but I can't draw conclusions about real people.",
  'I cannot merge these texts.',
  "I can't revise this opinion.",
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
  "I'm sorry, but I can't accept his lies.",
  'Sorry, I cannot support the mayor.',
  "I'm sorry, but I won't be able to forgive Tom.",
  "I'm sorry, but I can't see the point of golf.",
  "I'm sorry, but I can't give up coffee.",
  "I'm sorry, but I can't make sense of modern art.",
  "I'm sorry, but I can't take Ben's side.",
  "I'm sorry, but I can't be friends with Tom.",
  "I'm sorry, but I can't believe that.",
  "I'm sorry, but I can't change my opinion of Rome.",
  "I'm sorry, but I can't describe how much I love Rome.",
  'I cannot update my old car.',
  "I can't support that.",
  '',
])('%j is none', (text) => {
  expect(isRefusal(text)).toBe(false);
});

test.each([
  ["I'm sorry, but I can't see the point of this.", true],
  ['Sorry, I cannot.', true],
  ['I apologize, but as an AI, I am unable to take this over.', true],
  ['I am sorry for Ben. I cannot eat nuts.', false],
  ["I am a librarian. I'm sorry, but I can't stand jazz.", false],
  ['I cannot eat nuts.', false],
])('%j begins with an apology for not doing something: %s', (text, expected) => {
  expect(beginsWithApology(text)).toBe(expected);
});

it('takes no longer for a text that begins like many refusals', () => {
  const start = performance.now();
  const long = `${' '.repeat(100_000)}As an AI ${'I cannot '.repeat(100_000)}`;
  expect(isRefusal(long) || isRefusal(`Sorry, I can't ${'a '.repeat(100_000)}`) || beginsWithApology(long)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});
