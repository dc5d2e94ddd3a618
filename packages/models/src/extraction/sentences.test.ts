import { expect, it } from 'vitest';
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
