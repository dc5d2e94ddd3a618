import type { Commit } from '@mneme/read-models';
import { beforeEach, describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { search } from '../search/search.ts';
import { createLogWriter, withoutVectors } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';

const stores = useStores();
let opened: Awaited<ReturnType<typeof stores.open>>;

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

/** What a verification waits for where nothing else is applied. */
const atRest = async () => undefined;

/** How many points can be found by their meaning. */
async function withVectors(): Promise<number> {
  const filter = { must: [{ has_vector: 'dense' }] };
  return (await stores.qdrant.count(`${opened.db.databaseName}_units_1`, { filter, exact: true })).count;
}

/** Two versions of a document, each as the events that store it. */
async function versions() {
  const log = createLogWriter();
  const first = await log.batch('a', 'doc', 'The tea is green.');
  const second = [log.submitted('b', 'doc', 'y'), await log.extracted('b', 'doc', 'The tea is black.')] as const;
  return { log, first, second };
}

describe('the stores', () => {
  it('make facts searchable, only for the agent to which they belong', async () => {
    const [log, other] = [createLogWriter(), createLogWriter('public', 'bob')];
    const events = await log.batch('a', null, 'Alice lives in Lisbon.');
    const others = await other.batch('b', null, 'Bob lives in Lisbon.');
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
    const events = await log.batch('a', null, 'The tea is green.', 'Milk is white.');
    await opened.project().apply(events);
    await opened.project().apply([log.forgotten(unitId('a', 0))]);
    expect(await find('tea')).toEqual([]);
    expect(await find('milk')).toEqual(['Milk is white.']);
    expect(await opened.countPoints()).toBe(1);
  });

  it('write no row again that has not changed', async () => {
    const log = createLogWriter();
    const extracted = await log.extracted('a', 'doc', 'The tea is green.');
    await opened.project().apply([log.submitted('a', 'doc', 'x'), withoutVectors(extracted)]);
    const { agents, documents } = opened.readModel.collections;
    const mark = { $set: { mark: 1 } } as object;
    await Promise.all([agents, documents].map((rows) => rows.updateMany({}, mark)));
    await opened.project().apply([log.vectorsAdded(extracted)]);
    expect(await agents.findOne()).toMatchObject({ mark: 1 });
    expect(await documents.findOne()).toMatchObject({ mark: 1 });
    expect(await withVectors()).toBe(1);
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

describe('the text of a large batch', () => {
  const text = 'tea '.repeat(5_000);

  /** What is stored of an operation. */
  const stored = (id: string) => opened.readModel.collections.operations.findOne({ _id: id });

  it.each(['remembers', 'has read nothing of'])(
    'is only read for its document, by a writer that %s it',
    async (who) => {
      const told: unknown[] = [];
      opened = await stores.open((rows) => told.push(...rows.map(({ pendingText }) => pendingText?.length)));
      const writer = opened.project();
      const next = () => (who === 'remembers' ? writer : opened.project());
      const log = createLogWriter();
      const first = { ...log.submitted('a', 'doc', text), data: { ...log.submitted('a', 'doc', text).data, parts: 2 } };
      await next().apply([first]);
      await next().apply([{ ...first, data: { ...first.data, part: 1 } }]);
      await next().apply([log.started('a')]);
      expect(await stored('a')).toMatchObject({ status: 'processing', pendingText: `${text}\n${text}` });
      await next().apply([await log.extracted('a', 'doc', 'The tea is green.')]);
      expect(await stored('a')).toMatchObject({ status: 'completed', pendingText: null });
      const turns = await opened.readModel.collections.turns.find().toArray();
      expect(turns).toMatchObject([{ text: `${text}\n${text}` }]);
      expect(told).toEqual([20_000, 40_001, undefined, undefined]);
    },
  );
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

  it.each([undefined, async () => undefined])('writes no point any more once it notices (%s)', async (giveWay) => {
    const { first } = await versions();
    const assertHeld = () => {
      throw new Error('The lane is not held any more');
    };
    const batch = { events: first, lanes: [], giveWay, assertHeld };
    await expect(opened.store.apply(batch, fenced)).rejects.toThrow(/not held any more|fenced/);
    expect(await opened.countPoints()).toBe(0);
  });

  it('replaces nothing newer in the vector index', async () => {
    const { first, second } = await versions();
    await opened.project().apply([...first, ...second]);
    await expect(opened.project(fenced).apply(first)).rejects.toThrow('fenced');
    expect(await find('tea')).toEqual(['The tea is black.']);
    const before = await opened.readModel.vectors.existing([unitId('b', 0)]);
    expect(before.size).toBe(1);
  });

  it('leaves what it would have replaced, and its vectors', async () => {
    const { first, second } = await versions();
    const [submitted, extracted] = second;
    await opened.project().apply([...first, submitted]);
    await expect(opened.project(fenced).apply([extracted])).rejects.toThrow('fenced');
    expect(await find('tea')).toEqual(['The tea is green.']);
    await opened.project().apply([extracted]);
    expect(await find('tea')).toEqual(['The tea is black.']);
    expect(await opened.countPoints()).toBe(1);
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
    const found = await opened.store.verify?.(atRest);
    expect(found?.repaired).toEqual({ 'units without a vector': 0, 'vectors without a unit': 1 });
    expect(await opened.countPoints()).toBe(1);
  });

  it('keeps its vectors when it commits while they are verified', async () => {
    const { first } = await versions();
    await expect(opened.project(fenced).apply(first)).rejects.toThrow('fenced');
    const log = createLogWriter('public', 'bob', 1_000);
    const ahead = await log.batch('o', null, 'Bob sings.');
    await opened.project().apply(ahead);
    const found = await opened.store.verify?.(() => opened.project().apply(first));
    expect(found?.repaired).toEqual({ 'units without a vector': 0, 'vectors without a unit': 0 });
    expect(await opened.countPoints()).toBe(2);
    expect(await find('tea')).toEqual(['The tea is green.']);
  });
});

describe('agents of several lanes, of which one is ahead of the others', () => {
  it('change later what was written together', async () => {
    const [alice, bob] = [createLogWriter(), createLogWriter('public', 'bob', 1_000)];
    const batch = alice.submitted('a', null, 'x');
    const facts = await alice.extracted('a', null, 'The tea is green.', 'The rug is red.', 'The cup is old.');
    const ahead = await bob.batch('b', null, 'Bob sings.');
    const writer = opened.project();
    await writer.apply([batch, withoutVectors(facts), ...ahead]);
    expect(await withVectors()).toBe(1);
    await writer.apply([alice.vectorsAdded(facts)]);
    expect(await withVectors()).toBe(4);
    await writer.apply([await alice.corrected(unitId('a', 0), 'The tea is black.')]);
    expect((await find('black'))[0]).toBe('The tea is black.');
    await writer.apply([alice.forgotten(unitId('a', 1))]);
    expect(await opened.countPoints()).toBe(3);
  });
});

describe('a verification', () => {
  it('adds the vectors that Qdrant lacks', async () => {
    const { first } = await versions();
    await opened.project().apply(first);
    await opened.readModel.vectors.remove([unitId('a', 0)], 1_000);
    expect(await find('tea')).toEqual([]);
    expect((await opened.store.verify?.(atRest))?.repaired).toMatchObject({ 'units without a vector': 1 });
    expect(await find('tea')).toEqual(['The tea is green.']);
  });

  it('adds the vector of a unit that Qdrant stores without it', async () => {
    const log = createLogWriter();
    const [batch, facts] = await log.batch('a', null, 'The tea is green.');
    await opened.project().apply([batch, withoutVectors(facts)]);
    const nothing = { 'units without a vector': 0, 'vectors without a unit': 0 };
    expect((await opened.store.verify?.(atRest))?.repaired).toEqual(nothing);
    await opened.project().apply([log.vectorsAdded(facts)]);
    const points = { points: [unitId('a', 0)], vector: ['dense'] };
    await stores.qdrant.deleteVectors(`${opened.db.databaseName}_units_1`, { wait: true, ...points });
    expect(await withVectors()).toBe(0);
    expect((await opened.store.verify?.(atRest))?.repaired).toEqual({ ...nothing, 'units without a vector': 1 });
    expect(await withVectors()).toBe(1);
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
