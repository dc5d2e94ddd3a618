import { expect, test } from 'vitest';
import { createBm25 } from './bm25.ts';
import { stemsOf } from './words.ts';

test('a score is the rarity of a word times its saturated count', () => {
  const index = createBm25([
    ['cat', 'mat'],
    ['dog', 'mat'],
    ['cat', 'cat', 'dog', 'mat'],
  ]);
  const [first, second, third] = index.scores(['cat']);
  // N = 3, n = 2, average length 8 / 3: rarity ln(1.6); 1 × 2.2 / (1 + 1.2 × (0.25 + 0.75 × 2 / (8 / 3))).
  expect(first).toBeCloseTo(Math.log(1.6) * (2.2 / 1.975), 10);
  expect(second).toBe(0);
  expect(third).toBeCloseTo(Math.log(1.6) * (4.4 / 3.65), 10);
});

test('scores of several words add up, and a repeated word of the query counts twice', () => {
  const index = createBm25([['cat', 'mat'], ['dog', 'mat'], ['bird']]);
  const [cat, dog] = [index.scores(['cat']), index.scores(['dog'])];
  expect(index.scores(['cat', 'dog', 'cat'])[0]).toBeCloseTo(2 * (cat[0] ?? 0), 10);
  expect(index.scores(['cat', 'dog'])).toEqual([cat[0], dog[1], 0]);
});

test('a word that every document has still scores above zero', () => {
  expect(createBm25([['cat'], ['cat']]).scores(['cat'])[0]).toBeGreaterThan(0);
});

test('words no document has, and no words, score zero', () => {
  const index = createBm25([['cat'], ['dog']]);
  expect(index.scores(['bird'])).toEqual([0, 0]);
  expect(index.scores([])).toEqual([0, 0]);
});

test('words are stemmed, in lower case, without stop words', () => {
  expect(stemsOf("When did Ana's sisters go hiking?")).toEqual(['ana', 'sister', 'go', 'hike']);
  expect(stemsOf('What would they have?')).toEqual([]);
});
