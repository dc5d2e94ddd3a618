import { expect, test } from 'vitest';
import { createKnownTexts } from './known-texts.ts';

const add = (known: string, text: string) => createKnownTexts([known]).add(text);

test.each([
  ['I think green tea is better.', 'I think that green tea is better!', true],
  [
    'I think that it is good to swim in the cold sea each morning.',
    'I think it good to swim in the cold blue sea each morning.',
    false,
  ],
  [
    'I believe that the hotel in Rome is worth its price.',
    'Honestly, I believe that the hotel in Rome is worth its price.',
    false,
  ],
  ['I think remote work is better for focus.', 'Remote work is better for focus, I think.', false],
  [
    'I prefer trains over planes for short trips in Europe.',
    'For short trips in Europe I prefer trains over planes.',
    false,
  ],
  [
    'I prefer trains over planes for short trips in Europe.',
    'I prefer trains to planes for short trips in Europe.',
    true,
  ],
  ['I like to swim and to run.', 'I like to run and to swim.', false],
])('%j says the same as %j', (known, text, isExact) => {
  expect(add(known, text)).toEqual({ text: known, isExact });
});

test.each([
  ['I think that Berlin suits Anna better than Hamburg.', 'I think that Hamburg suits Anna better than Berlin.'],
  ['I prefer tea to coffee.', 'I prefer coffee to tea.'],
  ['I prefer tea over coffee.', 'I prefer coffee to tea.'],
  ['I think the train from Rome to Berlin is slow.', 'I think the train from Berlin to Rome is slow.'],
  ['I think Tom helps Anna.', 'I think Anna helps Tom.'],
  [
    'Anna writes the best short stories about the sea in winter and in spring, I think.',
    'Maria writes the best short stories about the sea in winter and in spring, I think.',
  ],
  [
    'I think that the old bridge over the wide river was closed for good reason in 2019.',
    'I think that the old bridge over the wide river was closed for good reason in 2021.',
  ],
  [
    'I think that Anna writes the best short stories about the sea in winter.',
    'I think that Maria writes the best short stories about the sea in winter.',
  ],
  ['I think he should go.', 'I think she should go.'],
  ['I like to run before lunch.', 'I like to run after lunch.'],
  ['I think that green tea is better.', 'I do not think that green tea is better.'],
])('%j does not say the same as %j', (known, text) => {
  expect(add(known, text)).toBeUndefined();
});
