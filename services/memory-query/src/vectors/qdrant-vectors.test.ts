import { createLexicalEncoder } from '@mneme/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { factsBetween, pointsOf } from '../testing/points.ts';
import { startStores } from '../testing/read-model.ts';
import { createVectorIndex } from './qdrant-vectors.ts';
import type { UnitVectors, VectorIndex } from './vector-index.ts';

const lexical = createLexicalEncoder();
let stores: Awaited<ReturnType<typeof startStores>>;
let vectors: VectorIndex;

beforeAll(async () => {
  stores = await startStores();
  vectors = createVectorIndex(stores.qdrant, 'counting', 2);
  await vectors.create('mark');
  await vectors.upsert(
    [
      ...units('alice', 3, 'The goat has a bell.'),
      ...units('alice-2', 100, 'The bell rings.'),
      ...units('bob', 400, 'The goat is in the wine.'),
      ...units('carla', 3_000, 'The goat sleeps.'),
    ],
    1,
  );
});

afterAll(() => stores?.stop());

/** @param place the agent, with a suffix for more units of the same agent, as in `alice-2` */
function units(place: string, count: number, text: string): UnitVectors[] {
  return pointsOf(place.split('-')[0] ?? '', place, factsBetween(0, count), text);
}

const of = (agentKey: string) => ({ agentKey, factTypes: [], removals: [] });
const term = (word: string) => lexical.query(word).indices[0] ?? 0;

it('counts the units of an agent that have a word, exactly up to 64 and then roughly', async () => {
  const terms = ['goat', 'wine', 'bell'].map(term);
  const [goat = 0, wine = 0, bell = 0] = await vectors.countTerms(of('alice'), terms, Promise.resolve(103));
  expect([goat, wine]).toEqual([3, 0]);
  expect(bell).toBeGreaterThan(103 / 2);
  expect(bell).toBeLessThan(103 * 2);
  for (const [agent, total] of [
    ['bob', 400],
    ['carla', 3_000],
  ] as const) {
    const [frequent = 0] = await vectors.countTerms(of(agent), [term('goat')], Promise.resolve(total));
    expect(frequent).toBeGreaterThan(total / 2);
    expect(frequent).toBeLessThan(total * 2);
  }
  expect(await vectors.countTerms(of('alice'), [], Promise.resolve(103))).toEqual([]);
});

it('counts the many words of a page with less effort', async () => {
  const words = Array.from({ length: 5_000 }, (_, index) => term(`w${index}`));
  const counts = await vectors.countTerms(of('alice'), [term('bell'), ...words], Promise.resolve(103));
  expect(Math.max(...counts)).toBe(1);
});

it('finds units by meaning and by words, and passages by their words', async () => {
  const wanted = { ...of('alice'), units: 10, passages: 10 };
  const ofMeaning = { ...wanted, unitCount: 103, dense: [1, 0], whole: [1, 0], sample: [1, 3, 500], window: undefined };
  const byMeaning = await vectors.byMeaning(ofMeaning);
  expect(byMeaning.dense).toHaveLength(10);
  // Two numberings have the ordinals 1 and 3.
  expect(byMeaning.sample).toHaveLength(3);
  const byWords = await vectors.byWords({ ...wanted, words: lexical.query('goat wool') });
  expect(byWords.words.map(({ fact }) => fact).sort()).toEqual([0, 1, 2]);
  expect(byWords.passages.map(({ operationId, fact }) => [operationId, fact])).toEqual([
    ['alice', 0],
    ['alice-2', 0],
  ]);
  expect(byWords.passages[0]?.score).toBeGreaterThan(byWords.words[0]?.score ?? 0);
  const none = { indices: [], values: [] };
  expect(await vectors.byWords({ ...wanted, words: none })).toEqual({ words: [], passages: [] });
});

it('counts the units of an agent without removed ones', async () => {
  expect(await vectors.count(of('alice'))).toBe(103);
  await vectors.remove(
    units('alice-2', 40, '').map(({ id }) => id),
    2,
  );
  expect(await vectors.count(of('alice'))).toBe(63);
  expect(await vectors.count(of('bob'))).toBe(400);
  expect(await vectors.count(of('unknown'))).toBe(0);
});
