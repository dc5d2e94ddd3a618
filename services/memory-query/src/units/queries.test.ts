import { documentKey } from '@mneme/contracts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type MemoryCollections, unitIndexes } from '../read-model/rows.ts';
import { useStores } from '../testing/read-model.ts';
import { createRows } from '../testing/rows.ts';
import { type ListUnits, listUnits, selectUnits } from './queries.ts';

const stores = useStores();
let collections: MemoryCollections;

beforeEach(async () => {
  collections = (await stores.open()).readModel.collections;
});

async function list(query: Partial<ListUnits>) {
  const { items, total } = await listUnits(
    { collections, removals: [] },
    { space: 'public', limit: 100, offset: 0, ...query },
  );
  return { items, total, texts: items.map(({ text }) => text) };
}

it('name indexes, which the store makes again if somebody has dropped them', async () => {
  const { store, readModel } = await stores.open();
  collections = readModel.collections;
  await collections.units.dropIndexes();
  await expect(list({ agentId: 'alice' })).rejects.toThrow('hint provided does not correspond to an existing index');
  await store.createIndexes?.();
  expect(await list({ agentId: 'alice' })).toMatchObject({ items: [], total: 0 });
});

it('have their indexes made again also where that fails for another collection', async () => {
  const { store, readModel } = await stores.open();
  const { removals, links } = readModel.collections;
  await Promise.all([removals.dropIndexes(), links.dropIndexes()]);
  await removals.createIndex({ lane: -1 }, { name: 'lane_1' });
  await expect(store.createIndexes?.()).rejects.toThrow('same name');
  expect(await links.indexExists('links.from_1')).toBe(true);
});

it('take an index that somebody has made by hand, which keeps no other from being made', async () => {
  const { store, readModel } = await stores.open();
  collections = readModel.collections;
  await collections.units.dropIndexes();
  await collections.units.createIndex(unitIndexes.inTime, { name: 'by_hand' });
  await store.createIndexes?.();
  expect(await collections.units.indexes()).toHaveLength(Object.keys(unitIndexes).length + 1);
  expect(await list({ agentId: 'alice' })).toMatchObject({ items: [], total: 0 });
});

const ofAlice = { space: 'public', agentId: 'alice' };

describe('words', () => {
  beforeEach(async () => {
    const [alice, bob, foreign] = [createRows(), createRows('public', 'bob'), createRows('7', 'alice')];
    await collections.agents.insertMany([alice.agent, bob.agent, foreign.agent]);
    await collections.units.insertMany([
      ...['the green tea', 'the black tea', 'the black cat'].map((text) => alice.unit(text)),
      alice.unit('the black dog', { factType: 'opinion', context: 'over tea' }),
      bob.unit('the black tea'),
      foreign.unit('the black tea'),
    ]);
  });

  it('must all be in the text or context, in any order', async () => {
    for (const q of ['black tea', 'tea black', 'the black TEA', 'tea, the black']) {
      expect((await list({ agentId: 'alice', q })).texts).toEqual(['the black dog', 'the black tea']);
    }
    expect(await list({ agentId: 'alice', q: 'tea cat' })).toMatchObject({ items: [], total: 0 });
  });

  it('are searched in all agents of the space, and can be combined with a type', async () => {
    expect((await list({ q: 'black' })).total).toBe(4);
    expect((await list({ q: 'black', factType: 'opinion' })).texts).toEqual(['the black dog']);
    expect((await list({ agentId: 'alice', q: 'tea', factType: 'opinion' })).total).toBe(1);
  });

  it.each(['!!!', ' ? ', '🦊'])('are asked for in vain where there are none: %j', async (q) => {
    expect(await list({ agentId: 'alice', q })).toMatchObject({ items: [], total: 0 });
  });

  it.each(['', ' \n'])('may be left out: %j', async (q) => {
    expect((await list({ agentId: 'alice', q })).total).toBe(4);
  });

  it('are found without reading the rows of units that do not have them', async () => {
    const { filter, hint, sort } = await selectUnits({ collections, removals: [] }, { ...ofAlice, q: 'green tea' });
    const plan = await collections.units.find(filter, { hint }).sort(sort).explain('executionStats');
    expect(plan.executionStats).toMatchObject({ nReturned: 1, totalDocsExamined: 1, totalKeysExamined: 5 });
    const counting = [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }];
    const counted = await collections.units.aggregate(counting, { hint }).explain('executionStats');
    expect(JSON.stringify(counted)).toContain('"totalDocsExamined":0');
  });

  it('are whole words, as long as the index has them', async () => {
    const long = 'ж'.repeat(64);
    const many = Array.from({ length: 1_000 }, (_, index) => `${index}${'ж'.repeat(60)}`);
    await collections.units.insertOne(createRows('public', 'carla').unit(`${many.join(' ')}`));
    await collections.units.insertOne(createRows('public', 'dora').unit(`${long}ж`));
    expect((await list({ agentId: 'carla', q: many.slice(990).join(' ') })).total).toBe(1);
    expect((await list({ agentId: 'carla', q: '99' })).total).toBe(0);
    expect((await list({ agentId: 'dora', q: `${long}жж` })).total).toBe(1);
    expect((await list({ ...ofAlice, q: 'gree' })).total).toBe(0);
  });

  it('may be very many', async () => {
    const q = Array.from({ length: 500 }, (_, index) => `w${index}`).join(' ');
    expect((await list({ agentId: 'alice', q })).total).toBe(0);
  });
});

it('finds words in a space of more agents than the index is asked for, and none of another space', async () => {
  const everyone = Array.from({ length: 1_001 }, (_, index) => createRows('public', `agent ${index}`));
  await collections.agents.insertMany(everyone.map(({ agent }) => agent));
  await collections.units.insertMany([
    ...everyone.map((rows, index) => rows.unit(`The boat of number ${index} is green.`)),
    createRows('other', 'alice').unit('The boat of number 7 is red.'),
  ]);
  expect(await list({ q: 'boat 7' })).toMatchObject({ texts: ['The boat of number 7 is green.'], total: 1 });
  expect((await list({ q: 'green boat' })).total).toBe(1_001);
  const { hint } = await selectUnits({ collections, removals: [] }, { space: 'public', q: 'boat' });
  expect(hint).toBe(unitIndexes.ofSpace);
});

it('counts and pages what it lists, of one type in the whole space too', async () => {
  const rows = createRows();
  await collections.agents.insertOne(rows.agent);
  const units = Array.from({ length: 250 }, (_, index) =>
    rows.unit(`fact ${index}`, { factType: index % 2 === 0 ? 'opinion' : 'world' }),
  );
  await collections.units.insertMany(units);
  expect(await list({ offset: 249, limit: 10 })).toMatchObject({ texts: ['fact 0'], total: 250 });
  for (const query of [{}, { agentId: 'alice' }]) {
    const page = await list({ ...query, factType: 'opinion', offset: 124, limit: 10 });
    expect(page).toMatchObject({ texts: ['fact 0'], total: 125 });
  }
});

it('finds and counts a few units of one type in a space without reading the others', async () => {
  const [alice, bob] = [createRows(), createRows('public', 'bob')];
  await collections.units.insertMany([
    ...Array.from({ length: 5 }, (_, index) => bob.unit(`opinion ${index}`, { factType: 'opinion' })),
    ...Array.from({ length: 10_000 }, (_, index) => alice.unit(`fact ${index}`)),
  ]);
  const query = { space: 'public', factType: 'opinion' } as const;
  const { filter, hint, sort } = await selectUnits({ collections, removals: [] }, query);
  const plan = await collections.units.find(filter, { hint, sort, limit: 100 }).explain('executionStats');
  expect(plan.executionStats).toMatchObject({ nReturned: 5, totalDocsExamined: 5 });
  const counting = [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }];
  const counted = await collections.units.aggregate(counting, { hint }).explain('executionStats');
  expect(JSON.stringify(counted)).toContain('"totalDocsExamined":0');
});

it('reads only the rows of a page of a space, whatever their types', async () => {
  const rows = createRows();
  const units = Array.from({ length: 100 }, (_, round) =>
    (['world', 'agent', 'opinion'] as const).map((factType, index) =>
      rows.unit(`fact ${round * 3 + index}`, { factType }),
    ),
  );
  await collections.units.insertMany(units.flat());
  const { filter, hint, sort } = await selectUnits({ collections, removals: [] }, { space: 'public' });
  const plan = await collections.units.find(filter, { hint, sort, skip: 100, limit: 10 }).explain('executionStats');
  expect(plan.executionStats).toMatchObject({ nReturned: 10, totalDocsExamined: 10 });
  expect((await list({ offset: 100, limit: 3 })).texts).toEqual(['fact 199', 'fact 198', 'fact 197']);
});

it('tells MongoDB how long the page and its count may take', async () => {
  await collections.units.insertMany([createRows().unit('x'), createRows('public', 'bob').unit('y')]);
  const [find, count] = [vi.spyOn(collections.units, 'find'), vi.spyOn(collections.units, 'countDocuments')];
  await list({ limit: 1 });
  const [ofPage, ofCount] = [find, count].map(({ mock }) => mock.calls[0]?.[1]?.maxTimeMS ?? Number.NaN);
  expect(ofPage).toBeLessThanOrEqual(24_000);
  expect(ofCount).toBeLessThanOrEqual(ofPage ?? 0);
});

it('lists the units of a document in their order in it, of one agent or of the space', async () => {
  const [alice, bob] = [createRows(), createRows('public', 'bob')];
  await collections.agents.insertMany([alice.agent, bob.agent]);
  const notes = (turn: number, fact: number) => ({ documentKey: documentKey('notes'), turn, fact });
  await collections.units.insertMany([
    alice.unit('third', notes(2, 0)),
    alice.unit('second', notes(1, 1)),
    alice.unit('first', { ...notes(1, 0), factType: 'opinion' }),
    alice.unit('of another document', { documentKey: documentKey('other') }),
    bob.unit('of Bob', notes(1, 0)),
  ]);
  const ofNotes = { agentId: 'alice', documentId: 'notes' };
  expect(await list(ofNotes)).toMatchObject({ texts: ['first', 'second', 'third'], total: 3 });
  expect(await list({ ...ofNotes, limit: 1, offset: 1 })).toMatchObject({ texts: ['second'], total: 3 });
  expect((await list({ ...ofNotes, factType: 'opinion' })).texts).toEqual(['first']);
  expect((await list({ ...ofNotes, q: 'third' })).texts).toEqual(['third']);
  expect((await list({ documentId: 'notes' })).total).toBe(4);
  expect((await list({ agentId: 'alice', documentId: 'none' })).total).toBe(0);
});

describe('a reply stays below 4 MB', () => {
  it('with 1000 units of long contexts, of which 2000 characters are listed', async () => {
    const rows = createRows();
    const units = Array.from({ length: 1_000 }, () => rows.unit('Ж'.repeat(1_000), { context: 'x'.repeat(30_000) }));
    await collections.units.insertMany(units);
    const { items } = await list({ agentId: 'alice', limit: 1_000 });
    expect(items).toHaveLength(1_000);
    expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(4_000_000);
    const [item] = (await list({ agentId: 'alice', limit: 1 })).items;
    expect(item?.text).toBe('Ж'.repeat(1_000));
    expect(item?.context).toBe(`${'x'.repeat(2_000)}…`);
  });

  it('with units that have no context', async () => {
    await collections.units.insertMany([
      createRows().unit('x'),
      createRows('public', 'bob').unit('y', { context: '' }),
    ]);
    expect((await list({})).items.map(({ context }) => context)).toEqual([null, '']);
  });
});
