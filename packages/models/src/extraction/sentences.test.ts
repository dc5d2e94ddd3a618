import { expect, it } from 'vitest';
import { splitSentences } from './sentences.ts';

it('takes time in proportion to the text, also for one without capital letters', () => {
  const text = 'aa bb. cc dd! '.repeat(50_000);
  const startedAt = performance.now();
  expect([...splitSentences(text)]).toHaveLength(100_000);
  // When each sentence read the whole text again, it took half a minute.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
