import type { Commit } from '@mneme/read-models';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { search } from '../search/search.ts';
import { createLogWriter } from '../testing/events.ts';
import { startStores } from '../testing/read-model.ts';

type Stores = Awaited<ReturnType<typeof startStores>>;

let stores: Stores;
let opened: Awaited<ReturnType<Stores['open']>>;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());
beforeEach(async () => {
  opened = await stores.open();
});

async function find(query: string): Promise<string[]> {
  const { embeddings, lexical } = stores;
  const request = { space: 'public', agentId: 'alice', query, factTypes: [], trace: false, questionDate: null };
  const { results } = await search(
    { ...(await opened.readable()), embeddings, lexical },
    { ...request, reranker: 'heuristic', thinkingBudget: 10, maxTokens: 4096 },
  );
  return results.map(({ text }) => text);
}

/** Two versions of a document, each as the events that store it. */
async function versions() {
  const log = createLogWriter();
  const first = [log.submitted('a', 'doc', 'x'), await log.extracted('a', 'doc', 'The tea is green.')];
  const second = [log.submitted('b', 'doc', 'y'), await log.extracted('b', 'doc', 'The tea is black.')];
  return { log, first, second };
}

describe('the stores', () => {
  it('make facts searchable, only for the agent to which they belong', async () => {
    const [log, other] = [createLogWriter(), createLogWriter('public', 'bob')];
    const events = [log.submitted('a', null, 'x'), await log.extracted('a', null, 'Alice lives in Lisbon.')];
    const others = [other.submitted('b', null, 'x'), await other.extracted('b', null, 'Bob lives in Lisbon.')];
    await opened.project().apply([...events, ...others]);
    expect(await find('Who lives in Lisbon?')).toEqual(['Alice lives in Lisbon.']);
  });

  it('replace a stored document and its units, both of them', async () => {
    const { first, second } = await versions();
    await opened.project().apply(first);
    await opened.project().apply(second);
    expect(await find('tea')).toEqual(['The tea is black.']);
    expect(await opened.countPoints()).toBe(1);
  });

  it('forget a stored unit, both of them', async () => {
    const log = createLogWriter();
    const events = [
      log.submitted('a', null, 'x'),
      await log.extracted('a', null, 'The tea is green.', 'Milk is white.'),
    ];
    await opened.project().apply(events);
    await opened.project().apply([log.forgotten(unitId('a', 0))]);
    expect(await find('tea')).toEqual([]);
    expect(await find('milk')).toEqual(['Milk is white.']);
    expect(await opened.countPoints()).toBe(1);
  });

  it('report the operations that they write', async () => {
    const told: string[][] = [];
    opened = await stores.open((rows) => told.push(rows.map(({ _id, status }) => `${_id} ${status}`)));
    const log = createLogWriter();
    const projection = opened.project();
    await projection.apply([log.submitted('a', null, 'x')]);
    await projection.apply([await log.extracted('a', null, 'The tea is green.')]);
    expect(told).toEqual([['a pending'], ['a completed']]);
  });
});

describe('a writer that has lost its lane', () => {
  const fenced: Commit = async () => {
    throw new Error('fenced');
  };

  it('does not revert what its successor has written and is about to commit', async () => {
    const { first } = await versions();
    const late = opened.project(async () => {
      // Its successor writes the same in the meantime.
      await opened.project().apply(first);
      throw new Error('fenced');
    });
    await expect(late.apply(first)).rejects.toThrow('fenced');
    expect(await find('tea')).toEqual(['The tea is green.']);
    expect(await opened.countPoints()).toBe(1);
  });

  it('replaces nothing newer in the vector index', async () => {
    const { first, second } = await versions();
    await opened.project().apply([...first, ...second]);
    await expect(opened.project(fenced).apply(first)).rejects.toThrow('fenced');
    expect(await find('tea')).toEqual(['The tea is black.']);
    const before = await opened.readModel.vectors.existing([unitId('b', 0)]);
    expect(before.size).toBe(1);
  });

  it('leaves only vectors without a unit, which a verification removes', async () => {
    const { first } = await versions();
    await expect(opened.project(fenced).apply(first)).rejects.toThrow('fenced');
    expect(await opened.countPoints()).toBe(1);
    const log = createLogWriter('public', 'bob');
    const others = [
      log.submitted('o', null, 'x'),
      log.submitted('p', null, 'x'),
      await log.extracted('o', null, 'Bob sings.'),
    ];
    await opened.project().apply(others);
    const found = await opened.store.verify?.();
    expect(found?.repaired).toEqual({ 'units without a vector': 0, 'vectors without a unit': 1 });
    expect(await opened.countPoints()).toBe(1);
  });
});

describe('a verification', () => {
  it('adds the vectors that Qdrant lacks', async () => {
    const { first } = await versions();
    await opened.project().apply(first);
    await opened.readModel.vectors.remove([unitId('a', 0)], 1_000);
    expect(await find('tea')).toEqual([]);
    expect((await opened.store.verify?.())?.repaired).toMatchObject({ 'units without a vector': 1 });
    expect(await find('tea')).toEqual(['The tea is green.']);
  });
});

describe('a collection of vectors', () => {
  it('is identified, also when it was lost or created again', async () => {
    const before = await opened.store.identity();
    expect(before).toMatchObject({ 'collection of vectors': expect.any(String) });
    await opened.readModel.vectors.drop();
    expect(await opened.store.identity()).not.toHaveProperty('collection of vectors');
    await opened.readModel.vectors.create('another');
    expect(await opened.store.identity()).not.toEqual(before);
  });
});
