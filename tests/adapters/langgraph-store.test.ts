import { Embeddings } from '@langchain/core/embeddings';
import { AsyncBatchedStore, type BaseStore, InMemoryStore, type Operation } from '@langchain/langgraph';
import { MnemeStore } from '@mneme/client/langgraph';
import { atFullLength } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { clientsOf, newAgent } from '../system/client-of.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
});
afterAll(() => system.release());

/** Counts words, so that texts with words in common are near each other. */
class WordEmbeddings extends Embeddings {
  constructor() {
    super({});
  }
  async embedQuery(text: string): Promise<number[]> {
    const vector = new Array<number>(256).fill(0);
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
      const slot = [...word].reduce((sum, letter) => (31 * sum + (letter.codePointAt(0) ?? 0)) % vector.length, 7);
      vector[slot] = (vector[slot] ?? 0) + 1;
    }
    return vector;
  }
  embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}

const inMemory = async () => new InMemoryStore({ index: { dims: 256, embeddings: new WordEmbeddings() } });
const inMneme = async () => new MnemeStore(await newAgent(system.http));

const keysOf = (items: readonly { readonly key: string }[]) => items.map(({ key }) => key).sort();

/** What LangGraph's own store does, and what its tests ask of a store. */
describe.each<[string, () => Promise<BaseStore>]>([
  ['InMemoryStore', inMemory],
  ['MnemeStore', inMneme],
])('%s as a store', (_, createStore) => {
  let store: BaseStore;
  beforeEach(async () => {
    store = await createStore();
  });

  test('an item is put, read, replaced and deleted', async () => {
    const namespace = ['users', 'u1'];
    expect(await store.get(namespace, 'k')).toBeNull();
    await store.put(namespace, 'k', { text: 'one' });
    const first = await store.get(namespace, 'k');
    expect(first).toEqual({
      namespace,
      key: 'k',
      value: { text: 'one' },
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    const createdAt = Number(first?.createdAt);
    await store.put(namespace, 'k', { other: 2 });
    const second = await store.get(namespace, 'k');
    expect(second?.value).toEqual({ other: 2 });
    expect(Number(second?.createdAt)).toBe(createdAt);
    expect(Number(second?.updatedAt)).toBeGreaterThanOrEqual(createdAt);
    await store.delete(namespace, 'k');
    await store.delete(namespace, 'k');
    expect(await store.get(namespace, 'k')).toBeNull();
    expect(await store.search(namespace)).toEqual([]);
  });

  test('a value comes back exactly', async () => {
    const values = [
      {},
      { n: 0, negative: -1.5e-7, big: 2 ** 53, yes: true, no: false, nothing: null, empty: '', list: [], object: {} },
      {
        text: 'first line\n\nthird line\r\n\ttabbed  \u2028 and \u001e{"text":"no record"}\u0000 ',
        日本: 'é\u0301 👩‍👩‍👧',
      },
      { nested: { list: [1, ['a', { deep: [null] }]], 'a.b/c%d': '%2F' } },
      { lone: '\ud800', quote: '"\\u0041' },
      { '': 'no name' },
    ];
    for (const [index, value] of values.entries()) await store.put(['exact'], `k${index}`, value);
    for (const [index, value] of values.entries()) {
      expect((await store.get(['exact'], `k${index}`))?.value).toEqual(value);
    }
  });

  test('keys and namespaces are kept apart, whatever is in them', async () => {
    const keys = ['a', 'a/b', 'a%2Fb', '..', '.', ' ', 'A', 'a?b#c&d', 'ключ 日本', '"', "'", '%'];
    for (const key of keys) await store.put(['odd', 'x/y'], key, { key });
    await store.put(['odd', 'x', 'y'], 'a', { key: 'other' });
    for (const key of keys) expect((await store.get(['odd', 'x/y'], key))?.value).toEqual({ key });
    expect(keysOf(await store.search(['odd', 'x/y'], { limit: 50 }))).toEqual(keys.toSorted());
    expect((await store.listNamespaces()).sort()).toEqual([
      ['odd', 'x', 'y'],
      ['odd', 'x/y'],
    ]);
  });

  test('namespaces are listed by prefix, suffix, wildcard and depth, page by page', async () => {
    const namespaces = [
      ['a', 'b', 'c'],
      ['a', 'b', 'd', 'e'],
      ['a', 'b', 'd', 'i'],
      ['a', 'c', 'f'],
      ['b', 'a', 'f'],
      ['users', '123'],
      ['users', '456', 'settings'],
    ];
    expect(await store.listNamespaces()).toEqual([]);
    for (const namespace of namespaces) await store.put(namespace, 'k', { n: 1 });
    await store.put(['a', 'c', 'f'], 'another', { n: 2 });
    expect(await store.listNamespaces()).toEqual(namespaces);
    expect(await store.listNamespaces({ prefix: ['a', 'b'] })).toEqual(namespaces.slice(0, 3));
    expect(await store.listNamespaces({ suffix: ['f'] })).toEqual(namespaces.slice(3, 5));
    expect(await store.listNamespaces({ prefix: ['a'], suffix: ['f'] })).toEqual([['a', 'c', 'f']]);
    expect(await store.listNamespaces({ prefix: ['a', 'b'], maxDepth: 3 })).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
    ]);
    expect(await store.listNamespaces({ prefix: ['users', '*'] })).toEqual(namespaces.slice(5));
    expect(await store.listNamespaces({ prefix: ['*', 'a'], suffix: ['a', '*'] })).toEqual([['b', 'a', 'f']]);
    expect(await store.listNamespaces({ limit: 2, offset: 1 })).toEqual(namespaces.slice(1, 3));
    expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([['a'], ['b'], ['users']]);
    await store.delete(['b', 'a', 'f'], 'k');
    expect(await store.listNamespaces({ prefix: ['b', 'a'], suffix: ['k'] })).toEqual([]);
  });

  test('namespaces that LangGraph forbids are refused', async () => {
    for (const namespace of [[], ['a', 'b.c'], ['a', ''], ['langgraph', 'a']]) {
      await expect(store.put(namespace, 'k', { n: 1 })).rejects.toMatchObject({ name: 'InvalidNamespaceError' });
    }
    await store.put(['a', 'langgraph'], 'k', { n: 1 });
    expect((await store.get(['a', 'langgraph'], 'k'))?.value).toEqual({ n: 1 });
  });

  test('a search without a query has all items below a namespace that a filter wants, page by page', async () => {
    await store.put(['docs'], 'd1', { category: 'code', level: 1, tag: null });
    await store.put(['docs'], 'd2', { category: 'code', level: 2.5 });
    await store.put(['docs', 'old'], 'd3', { category: 'code', level: 3 });
    await store.put(['docs'], 'd4', { category: 'cake', level: 4 });
    await store.put(['recipes'], 'r1', { category: 'cake', level: 1 });
    const found = async (filter?: Record<string, unknown>, prefix = ['docs']) =>
      keysOf(await store.search(prefix, filter ? { filter } : {}));
    expect(await found()).toEqual(['d1', 'd2', 'd3', 'd4']);
    expect(await found(undefined, [])).toEqual(['d1', 'd2', 'd3', 'd4', 'r1']);
    expect(await found(undefined, ['docs', 'old'])).toEqual(['d3']);
    expect(await found(undefined, ['none'])).toEqual([]);
    expect(await found({ category: 'code' })).toEqual(['d1', 'd2', 'd3']);
    expect(await found({ category: 'cake' }, [])).toEqual(['d4', 'r1']);
    expect(await found({ level: { $gt: 1, $lte: 3 } })).toEqual(['d2', 'd3']);
    expect(await found({ level: { $gte: 3 }, category: { $ne: 'cake' } })).toEqual(['d3']);
    expect(await found({ level: { $lt: 2.5 } })).toEqual(['d1']);
    expect(await found({ category: { $eq: 'cake' } })).toEqual(['d4']);
    expect(await found({ missing: 'x' })).toEqual([]);
    expect(await found({ tag: null })).toEqual(['d1']);
    const pages = [0, 1, 2, 3].map((offset) => store.search(['docs'], { limit: 1, offset }));
    expect(keysOf((await Promise.all(pages)).flat())).toEqual(['d1', 'd2', 'd3', 'd4']);
    expect(await store.search(['docs'], { offset: 4 })).toEqual([]);
    const filter = { category: 'code' };
    const filtered = [0, 2].map((offset) => store.search(['docs'], { filter, limit: 2, offset }));
    expect(keysOf((await Promise.all(filtered)).flat())).toEqual(['d1', 'd2', 'd3']);
  });

  test('a query ranks, also what was replaced, with a filter and in its namespace', async () => {
    await store.put(['notes'], 'piano', { text: 'Carla plays the piano in a jazz band', color: 'red' });
    await store.put(['notes'], 'train', { text: 'The train to Porto leaves at noon', color: 'blue' });
    await store.put(['notes', 'deep'], 'garden', { text: 'Tomatoes grow in the garden', color: 'red' });
    await store.put(['others'], 'piano', { text: 'Dan sells an old piano in a jazz band' });
    const first = await store.search(['notes'], { query: 'who plays piano in a band' });
    expect(keysOf(first)).toEqual(['garden', 'piano', 'train']);
    expect(first[0]).toMatchObject({ key: 'piano', namespace: ['notes'], score: expect.any(Number) });
    expect(first[0]?.score).toBeGreaterThan(first[1]?.score ?? 0);
    await store.put(['notes'], 'piano', { text: 'The kitchen has a blue kettle', color: 'red' });
    await store.put(['notes'], 'train', { text: 'Carla plays the piano at noon', color: 'blue' });
    const second = await store.search(['notes'], { query: 'who plays piano in a band', limit: 1 });
    expect(second.map(({ key, value }) => [key, value.text])).toEqual([['train', 'Carla plays the piano at noon']]);
    expect(await store.search(['notes'], { query: 'piano', limit: 0 })).toEqual([]);
    const red = await store.search(['notes'], { query: 'a blue kettle in the garden', filter: { color: 'red' } });
    expect(keysOf(red)).toEqual(['garden', 'piano']);
    const pages = [0, 1, 2, 3].map((offset) => store.search(['notes'], { query: 'piano', limit: 1, offset }));
    expect(keysOf((await Promise.all(pages)).flat())).toEqual(['garden', 'piano', 'train']);
  });

  test('only what is indexed is searched; other items follow without a score', async () => {
    const value = { title: 'The harbour of Lisbon', body: 'zebra stripes', parts: [{ name: 'yellow submarine' }] };
    await store.put(['index'], 'title', value, ['title']);
    await store.put(['index'], 'parts', value, ['parts[*].name']);
    await store.put(['index'], 'nothing', value, false);
    const [title, ...others] = await store.search(['index'], { query: 'harbour of Lisbon' });
    expect([title?.key, keysOf(others)]).toEqual(['title', ['nothing', 'parts']]);
    const [parts] = await store.search(['index'], { query: 'yellow submarine' });
    expect(parts?.key).toBe('parts');
    const all = await store.search(['index'], { query: 'zebra stripes' });
    expect(keysOf(all)).toEqual(['nothing', 'parts', 'title']);
    const unindexed = all.find(({ key }) => key === 'nothing');
    expect([unindexed?.value, unindexed?.score]).toEqual([value, undefined]);
  });

  test('operations of a batch have results in their places, and the last of several writes counts', async () => {
    await store.put(['batch'], 'a', { n: 1 });
    const results = await store.batch([
      { namespace: ['batch'], key: 'a' },
      { namespacePrefix: ['batch'], limit: 10, offset: 0 },
      { matchConditions: [{ matchType: 'prefix', path: ['batch'] }], limit: 10, offset: 0 },
      { namespace: ['batch'], key: 'b', value: { n: 2 } },
      { namespace: ['batch'], key: 'b', value: { n: 3 } },
      { namespace: ['batch'], key: 'a', value: null },
    ] as Operation[]);
    expect(results).toHaveLength(6);
    expect(results[0]).toMatchObject({ key: 'a', value: { n: 1 } });
    expect(results[1]).toMatchObject([{ key: 'a' }]);
    expect(results[2]).toEqual([['batch']]);
    expect(await store.get(['batch'], 'a')).toBeNull();
    expect((await store.get(['batch'], 'b'))?.value).toEqual({ n: 3 });
    expect(await store.batch([])).toEqual([]);
  });

  test('it works behind the batching of a graph', async () => {
    const batched = new AsyncBatchedStore(store);
    batched.start();
    await Promise.all(['a', 'b', 'c'].map((key) => batched.put(['graph'], key, { key })));
    const items = await Promise.all(['a', 'b', 'c', 'd'].map((key) => batched.get(['graph'], key)));
    expect(items.map((item) => item?.value.key)).toEqual(['a', 'b', 'c', undefined]);
    batched.stop();
  });
});

describe('beyond that, a MnemeStore', () => {
  test.runIf(atFullLength)('finds what means the same in other words', async () => {
    const comparingMeaning = await shareSystem({ EMBEDDING_MODEL: 'builtin:minilm' });
    onTestFinished(() => comparingMeaning.release());
    const store = new MnemeStore(await newAgent(comparingMeaning.http));
    await store.put(['users', 'u1'], 'pet', { text: 'I adopted a puppy last week.' });
    await store.put(['users', 'u1'], 'car', { text: 'My car needs new tyres.' });
    await store.put(['users', 'u1'], 'job', { text: 'I work as a nurse in the hospital.' });
    const [first] = await store.search(['users', 'u1'], { query: 'Does she have a dog?', limit: 1 });
    expect(first?.key).toBe('pet');
    const strict = new MnemeStore(await newAgent(system.http), { minScore: 0.99 });
    await strict.put(['users'], 'car', { text: 'My car needs new tyres.' });
    expect(await strict.search(['users'], { query: 'quantum chromodynamics' })).toEqual([]);
  });

  test('takes a namespace for a path and not for the beginning of a text', async () => {
    const store = await inMneme();
    for (const user of ['1', '12', '1x']) await store.put(['users', user], 'k', { text: `I am user ${user}.` });
    expect(await store.search(['users', '1'])).toHaveLength(1);
    expect(await store.search(['users', '1'], { query: 'which user' })).toHaveLength(1);
    expect(await store.search(['USERS'])).toEqual([]);
    expect(await store.listNamespaces({ prefix: ['users', '1'] })).toEqual([['users', '1']]);
  });

  test('reads what the same batch has written before', async () => {
    const store = await inMneme();
    const [, item, , gone] = await store.batch([
      { namespace: ['n'], key: 'k', value: { n: 1 } },
      { namespace: ['n'], key: 'k' },
      { namespace: ['n'], key: 'k', value: null },
      { namespace: ['n'], key: 'k' },
    ] as Operation[]);
    expect([item, gone]).toMatchObject([{ value: { n: 1 } }, null]);
  });

  test('has in its memories what values say, and not how they are kept', async () => {
    const agent = await newAgent(system.http);
    const store = new MnemeStore(agent);
    await store.put(['users', 'u1'], 'trip', { text: 'I moved to Lisbon in May.', source: 'chat' });
    await store.put(['users', 'u1'], 'flag', { done: true }, false);
    const texts = (await agent.memories.list().all()).map(({ text }) => text);
    expect(texts.join('\n')).toContain('I moved to Lisbon');
    for (const part of ['{', '\u001e', 'done']) expect(texts.join('\n')).not.toContain(part);
    await agent.remember('A note beside the store.', { documentId: 'notes' });
    expect(await store.search([])).toHaveLength(2);
    expect(await store.search([], { query: 'a note beside the store' })).toHaveLength(2);
  });

  test('finds an item among items with many memories', async () => {
    const store = await inMneme();
    const sentences = (subject: string) =>
      Array.from({ length: 60 }, (_, index) => `${subject} counted ${index} ships in the harbour.`).join(' ');
    for (const name of ['Ana', 'Ben', 'Cleo']) await store.put(['logs'], name, { text: sentences(name) });
    const found = await store.search(['logs'], { query: 'ships in the harbour', limit: 3 });
    expect(keysOf(found)).toEqual(['Ana', 'Ben', 'Cleo']);
  });

  test('is one store for several processes; of puts at once one stays whole', async () => {
    const clients = await clientsOf(system.http);
    const gateway = await system.addGateway();
    const one = new MnemeStore(clients().agent('shared'));
    const two = new MnemeStore(clients(gateway.http.url).agent('shared'));
    const value = (author: string) => ({
      author,
      text: `${author} writes. `.repeat(50),
      numbers: Array(100).fill(author),
    });
    const rounds = Array.from({ length: 4 }, (_, round) => `k${round % 2}`);
    await Promise.all(rounds.flatMap((key) => [one.put(['n'], key, value('one')), two.put(['n'], key, value('two'))]));
    for (const key of ['k0', 'k1']) {
      const item = await one.get(['n'], key);
      expect(item?.value).toEqual(value(item?.value.author));
    }
    expect(await one.listNamespaces()).toEqual([['n']]);
  });

  test('keeps large values, and says what is too large or too long', async () => {
    const store = await inMneme();
    const large = { rows: Array.from({ length: 20_000 }, (_, index) => ({ index, name: `row ${index}` })) };
    await store.put(['large'], 'k', large, false);
    expect((await store.get(['large'], 'k'))?.value).toEqual(large);
    await expect(store.put(['large'], 'x'.repeat(1_100), { n: 1 })).rejects.toMatchObject({
      status: 422,
      detail: expect.stringContaining('document_id'),
    });
    await expect(store.put(['large'], 'huge', { text: 'x'.repeat(6_000_000) })).rejects.toMatchObject({ status: 413 });
    await expect(store.search(['large'], { filter: { n: { $regex: 'x' } } })).rejects.toThrow(
      /Unknown operator \$regex/,
    );
  });

  test.runIf(atFullLength)('pages through more items than one request lists', async () => {
    const store = await inMneme();
    const puts = Array.from({ length: 120 }, (_, index) => {
      return { namespace: ['many', `n${index % 3}`], key: `k${index}`, value: { index } };
    });
    await store.batch(puts);
    expect(await store.search(['many'], { limit: 200 })).toHaveLength(120);
    expect(await store.search(['many'], { limit: 200, filter: { index: { $gte: 100 } } })).toHaveLength(20);
    expect(await store.listNamespaces()).toHaveLength(3);
  });
});
