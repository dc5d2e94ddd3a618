import { describe, expect, it } from 'vitest';
import { cut, splitSentences } from './sentences.ts';

it('takes time in proportion to the text, also for one without capital letters', () => {
  const text = 'aa bb. cc dd! '.repeat(50_000);
  const startedAt = performance.now();
  expect([...splitSentences(text)]).toHaveLength(100_000);
  // When each sentence read the whole text again, it took half a minute.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it('leaves out what is blank, however long it is', () => {
  const text = `Bob sings.${' '.repeat(50_000)}\u200b${'\t'.repeat(5_000)}The end.`;
  const parts = [...cut(text, 0, text.length)].map(({ start, end }) => text.slice(start, end).trim());
  expect(parts).toEqual(['Bob sings.', 'The end.']);
});

describe('a mark within or in front of a word ends no sentence', () => {
  it.each([
    ['We use .NET at work. We like it.', ['We use .NET at work.', 'We like it.']],
    ['The .DS_Store is ignored. Put keys in .Env files.', ['The .DS_Store is ignored.', 'Put keys in .Env files.']],
    ['Old code (.NET only) is here. Bob left.', ['Old code (.NET only) is here.', 'Bob left.']],
    ['He left .Then Bob came.', ['He left .', 'Then Bob came.']],
    [
      'The trip was great.\n![Anna at the Colosseum](IMG_1.jpg)\nWe ate pizza.',
      ['The trip was great.', '![Anna at the Colosseum](IMG_1.jpg)', 'We ate pizza.'],
    ],
    ['Look![Anna](a.jpg) We ate.', ['Look![Anna](a.jpg) We ate.']],
    ['![](IMG_1.jpg)\nWe ate.', ['![](IMG_1.jpg)', 'We ate.']],
    [
      '[![Build Status](https://x.org/y.svg)](https://x.org)\nWe ate.',
      ['[![Build Status](https://x.org/y.svg)](https://x.org)', 'We ate.'],
    ],
  ])('%j', (text, expected) => {
    expect([...splitSentences(text)].map(({ start, end }) => text.slice(start, end).trim())).toEqual(expected);
  });
});
