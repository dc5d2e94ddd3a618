import { createLexicalEncoder } from '@mneme/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unitId } from '../read-model/rows.ts';
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
    ],
    1,
  );
});

afterAll(() => stores?.stop());

/** @param place the agent, with a suffix for more units of the same agent, as in `alice-2` */
function units(place: string, count: number, text: string): UnitVectors[] {
  const agentKey = place.split('-')[0] ?? '';
  return Array.from({ length: count }, (_, fact) => ({
    id: unitId(place, fact),
    operationId: place,
    fact,
    isInDocument: false,
    agentKey,
    ordinal: fact + 1,
    documentKey: null,
    sequence: 1,
    factType: fact % 2 === 0 ? 'world' : 'agent',
    eventDate: new Date('2026-01-01'),
    dense: [1, 0],
    lexical: lexical.document(text),
  }));
}

function search(query: string, factTypes: readonly 'opinion'[] = []) {
  const limits = { lexicalLimit: 10, denseLimit: 10, window: undefined, removals: [] };
  return vectors.search({ agentKey: 'alice', factTypes, dense: [1, 0], lexical: lexical.query(query), ...limits });
}

it('counts the units of an agent that have a word, of any type, up to a bound', async () => {
  const termOf = async (word: string) => (await search(word, ['opinion'])).terms[0];
  expect(await termOf('goat')).toMatchObject({ count: 3 });
  expect(await termOf('wine')).toMatchObject({ count: 0, best: undefined });
  const bell = await termOf('bell');
  expect(bell?.count).toBe(bell?.counted);
  expect(bell?.counted).toBeLessThan(100);
});

it('counts fewer units of each word, the more words a question has', async () => {
  const words = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
  const { terms } = await search(`bell ${words}`);
  const counts = terms.map(({ count }) => count);
  expect(Math.max(...counts)).toBe(1);
});

it('counts the units of an agent without removed ones', async () => {
  expect(await vectors.count('alice')).toBe(103);
  await vectors.remove(
    units('alice-2', 40, '').map(({ id }) => id),
    2,
  );
  expect(await vectors.count('alice')).toBe(63);
  expect(await vectors.count('bob')).toBe(400);
  expect(await vectors.count('nobody')).toBe(0);
});
