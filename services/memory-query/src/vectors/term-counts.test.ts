import { createLexicalEncoder } from '@mneme/models';
import { beforeAll, expect, it, vi } from 'vitest';
import { factsBetween, pointsOf } from '../testing/points.ts';
import { useStores } from '../testing/read-model.ts';
import { createVectorIndex } from './qdrant-vectors.ts';
import { createTermCounter } from './term-counts.ts';
import type { VectorFilter } from './vector-index.ts';

const lexical = createLexicalEncoder();
const name = 'term-counts';
const stores = useStores();
let add: (from: number, to: number, text: string) => Promise<void>;

beforeAll(async () => {
  const vectors = createVectorIndex(stores.qdrant, name, 2);
  await vectors.create('mark');
  add = (from, to, text) => vectors.upsert(pointsOf('alice', 'operation', factsBetween(from, to), text));
  await add(0, 200, 'The goat has a bell.');
});

const alice: VectorFilter = { agentKey: 'alice', factTypes: [], removals: [] };
const [goat = 0] = lexical.query('goat').indices;
const [wine = 0] = lexical.query('wine').indices;

/** How many searches a count takes. */
async function searchesOf(count: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(stores.qdrant, 'queryBatch');
  await count();
  const searches = asked.mock.calls.reduce((sum, [, body]) => sum + body.searches.length, 0);
  asked.mockRestore();
  return searches;
}

it('asks for a frequent term once, until the agent has a sixteenth more units', async () => {
  const countTerms = createTermCounter(stores.qdrant, name);
  const count = (total: number) => searchesOf(() => countTerms(alice, [goat], Promise.resolve(total)));
  expect(await count(200)).toBeGreaterThan(1);
  expect(await count(200)).toBe(0);
  expect(await count(212)).toBe(0);
  expect(await count(213)).toBe(0);
  expect(await count(214)).toBeGreaterThan(1);
  expect(await count(214)).toBe(0);
});

it('counts a rare term each time, so that one new unit is noticed', async () => {
  const countTerms = createTermCounter(stores.qdrant, name);
  const count = async () => (await countTerms(alice, [goat, wine], Promise.resolve(200))).counts;
  const [before, none] = await count();
  expect(none).toBe(0);
  await add(200, 201, 'The wine is red.');
  expect(await count()).toEqual([before, 1]);
});

it('counts the frequent terms of a page only if there are too few rare ones to search by', async () => {
  const countTerms = createTermCounter(stores.qdrant, name);
  const rare = Array.from({ length: 63 }, (_, index) => lexical.query(`w${index}`).indices[0] ?? 0);
  const [bell = 0] = lexical.query('bell').indices;
  const few = await countTerms(alice, [goat, bell, ...rare], Promise.resolve(200));
  expect(few.capped.size).toBe(0);
  expect(few.counts[0]).toBeGreaterThan(100);
  const many = await countTerms(alice, [goat, wine, ...rare], Promise.resolve(200));
  expect(many.capped).toEqual(new Set([goat]));
});

it('counts anew while units are being removed', async () => {
  const countTerms = createTermCounter(stores.qdrant, name);
  const removals = [{ agentKey: 'alice', documentKey: null, before: 2 }];
  await countTerms(alice, [goat], Promise.resolve(200));
  const { counts } = await countTerms({ ...alice, removals }, [goat], Promise.resolve(200));
  expect(counts).toEqual([0]);
});
