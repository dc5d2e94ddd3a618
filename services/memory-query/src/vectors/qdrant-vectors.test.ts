import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@mneme/local-stack';
import { createTestServer, qdrantDefinition } from '@mneme/local-stack/testing';
import { createLexicalEncoder, type SparseVector } from '@mneme/models';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { connectQdrant } from '../stores/qdrant-client.ts';
import { factsBetween, pointsOf } from '../testing/points.ts';
import { useStores } from '../testing/read-model.ts';
import { scoreByWords } from './indexed-units.ts';
import { createVectorIndex } from './qdrant-vectors.ts';
import type { UnitVectors, VectorIndex } from './vector-index.ts';

const lexical = createLexicalEncoder();
const stores = useStores();
let vectors: VectorIndex;

beforeAll(async () => {
  vectors = createVectorIndex(stores.qdrant, 'counting', 2);
  await vectors.create('mark');
  await vectors.upsert([
    ...units('alice', 3, 'The goat has a bell.'),
    ...units('alice-2', 100, 'The bell rings.'),
    ...units('bob', 400, 'The goat is in the wine.'),
    ...units('carla', 3_000, 'The goat sleeps.'),
  ]);
});

/** @param place the agent, with a suffix for more units of the same agent, as in `alice-2` */
function units(place: string, count: number, text: string): UnitVectors[] {
  return pointsOf(place.split('-')[0] ?? '', place, factsBetween(0, count), text);
}

const unknown = 'b5c1b3a8-0000-5000-8000-000000000000';
const none = { indices: [], values: [] };
const placesOf = async (...ids: readonly string[]) =>
  new Map([...(await vectors.indexed('alice', ids))].map(([id, { place }]) => [id, place]));
const of = (agentKey: string) => ({ agentKey, factTypes: [], removals: [] });
const term = (word: string) => lexical.query(word).indices[0] ?? 0;

it('makes no graphs over vectors, for agents or for values of fields', async () => {
  const { config } = await stores.qdrant.getCollection('counting');
  expect(config.hnsw_config).toMatchObject({ m: 0, payload_m: 0 });
  expect(config.optimizer_config).toMatchObject({ indexing_threshold: 100_000 });
});

it('tells whether it takes writes by one that changes nothing', async () => {
  const gone = createVectorIndex(stores.qdrant, 'never-made', 2);
  await vectors.raiseStamp(5);
  const before = await vectors.mark();
  expect(await vectors.acceptsWrites()).toBe(true);
  expect(await vectors.mark()).toEqual(before);
  await expect(gone.acceptsWrites()).rejects.toMatchObject({ status: 404 });
});

it('counts the units of an agent that have a word, exactly up to 64 and then roughly', async () => {
  const terms = ['goat', 'wine', 'bell'].map(term);
  const { counts } = await vectors.countTerms(of('alice'), terms, Promise.resolve(103));
  const [goat = 0, wine = 0, bell = 0] = counts;
  expect([goat, wine]).toEqual([3, 0]);
  expect(bell).toBeGreaterThan(103 / 2);
  expect(bell).toBeLessThan(103 * 2);
  for (const [agent, total] of [
    ['bob', 400],
    ['carla', 3_000],
  ] as const) {
    const { counts } = await vectors.countTerms(of(agent), [term('goat')], Promise.resolve(total));
    const [frequent = 0] = counts;
    expect(frequent).toBeGreaterThan(total / 2);
    expect(frequent).toBeLessThan(total * 2);
  }
  expect((await vectors.countTerms(of('alice'), [], Promise.resolve(103))).counts).toEqual([]);
});

it('counts the many words of a page with less effort', async () => {
  const words = Array.from({ length: 5_000 }, (_, index) => term(`w${index}`));
  const { counts, capped } = await vectors.countTerms(of('alice'), [term('bell'), ...words], Promise.resolve(103));
  expect(Math.max(...counts)).toBe(1);
  expect(capped).toEqual(new Set([term('bell')]));
});

it('finds units by meaning and by words, and passages by their words', async () => {
  const wanted = { ...of('alice'), units: 10 };
  const meaning = { dense: [1, 0], window: undefined };
  const words = { terms: lexical.query('goat wool'), passages: 10 };
  const hits = await vectors.find({ ...wanted, meaning, words });
  expect(hits.dense).toHaveLength(10);
  const goats = units('alice', 3, '').map(({ id }) => id);
  expect(hits.words.map(({ id }) => id).sort()).toEqual(goats.toSorted());
  const places = await placesOf(...hits.passages.map(({ id }) => id));
  expect([...places.values()].map(({ operationId, fact }) => [operationId, fact])).toEqual([
    ['alice', 0],
    ['alice-2', 0],
  ]);
  expect(hits.passages[0]?.score).toBeGreaterThan(hits.words[0]?.score ?? 0);
  const nothing = { dense: [], window: [], words: [], passages: [] };
  expect(await vectors.find({ ...wanted, words: { terms: none, passages: 10 } })).toEqual(nothing);
  expect(await vectors.find({ ...wanted, words })).toEqual({ ...hits, dense: [] });
});

it('keeps the words of each agent in lists of their own', async () => {
  const [bob, carla] = [units('bob', 1, ''), units('carla', 1, '')].map(([unit]) => unit?.id ?? '') as [string, string];
  const points = await stores.qdrant.retrieve('counting', { ids: [bob, carla], with_vector: ['words', 'passage'] });
  const terms = points.flatMap(({ vector }) => [
    ...new Set(Object.values(vector as Record<string, SparseVector>).flatMap(({ indices }) => indices)),
  ]);
  expect(terms.length).toBeGreaterThanOrEqual(4);
  expect(new Set(terms).size).toBe(terms.length);
  expect([...(await vectors.indexed('bob', [bob])).values()][0]?.words).toEqual(
    expect.objectContaining({ indices: expect.arrayContaining([term('goat'), term('wine')]) }),
  );
});

it('leaves out units that only chance chooses, and scores those and all others like the index', async () => {
  const terms = lexical.query('goat wine');
  await vectors.upsert(units('dora', 40, 'The goat.'));
  await vectors.upsert(units('dora-2', 3, 'The goat likes wine.'));
  const byWords = async (units: number, given = terms) =>
    (await vectors.find({ ...of('dora'), units, words: { terms: given, passages: 10 } })).words;
  const best = units('dora-2', 3, '').map(({ id }) => id);
  expect((await byWords(20)).map(({ id }) => id).sort()).toEqual(best.toSorted());
  const all = await byWords(50);
  expect(all).toHaveLength(43);
  const others = units('dora', 40, '').map(({ id }) => id);
  const indexed = await vectors.indexed('dora', [others[0] ?? '', best[0] ?? '', unknown]);
  const weights = new Map(terms.indices.map((id, index) => [id, terms.values[index] ?? 0]));
  const scored = [...indexed].map(([id, unit]) => ({ id, score: scoreByWords(weights, unit.words) }));
  expect(scored).toHaveLength(2);
  expect(all).toEqual(expect.arrayContaining(scored));
  // All of them are equally good.
  expect(await byWords(20, lexical.query('goat'))).toHaveLength(20);
});

it('finds what may be a repetition behind many units of other days that are as similar', async () => {
  const dated = units('frida', 50, 'A goat.').map((unit, index) =>
    index === 40 ? { ...unit, eventDate: new Date('2026-03-01'), dense: [0.98, 0.199] } : unit,
  );
  await vectors.upsert(dated);
  const day = Date.parse('2026-03-01');
  const around = { from: day - 1, to: day + 1 };
  const asked = { agentKey: 'frida', minScore: 0.5, afterOrdinal: 0, exclude: [], removals: [], around };
  const [equal = [], near = []] = await vectors.similar([
    { ...asked, dense: [1, 0], repeatedScore: 0.95 },
    { ...asked, dense: [0.8, 0.6], repeatedScore: 0.95 },
  ]);
  expect(equal).toContain(dated[40]?.id);
  expect(new Set(equal).size).toBe(equal.length);
  expect(near).toHaveLength(32);
});

it('compares a question with units that were found, and with a sample of all', async () => {
  const among = units('alice', 3, '').map(({ id }) => id);
  const asked = { ...of('alice'), whole: [1, 0], sample: [1, 3, 500] };
  // Two numberings have the ordinals 1 and 3.
  expect(await vectors.compare({ ...asked, among: [...among, unknown] })).toEqual({
    closest: [1, 1, 1],
    sample: [1, 1, 1],
  });
  const ofOtherType = { ...asked, factTypes: ['opinion' as const], among: [] };
  expect(await vectors.compare(ofOtherType)).toEqual({ closest: [], sample: [1, 1, 1] });
  expect(await vectors.compare({ ...asked, among: [], sample: [] })).toEqual({ closest: [], sample: [] });
});

it('keeps what a later event has written, also when newer units of others are written together', async () => {
  const [late] = units('fred', 1, 'The goat.') as [UnitVectors];
  const others = units('gina', 2, 'The goat.');
  await vectors.upsert([{ ...late, writtenAt: 5 }]);
  await vectors.upsert([{ ...late, dense: [], writtenAt: 3 }, ...others.map((unit) => ({ ...unit, writtenAt: 9 }))]);
  const ids = [late, ...others].map(({ id }) => id);
  expect([...(await vectors.existing(ids)).values()]).toEqual(
    expect.arrayContaining([
      { writtenAt: 5, hasMeaning: true },
      { writtenAt: 9, hasMeaning: true },
      { writtenAt: 9, hasMeaning: true },
    ]),
  );
  await vectors.upsert([{ ...late, dense: [], writtenAt: 5 }]);
  expect((await vectors.existing(ids)).get(late.id)).toEqual({ writtenAt: 5, hasMeaning: false });
});

it('tells the place of a unit, and knows none of a unit that is not stored', async () => {
  const [unit] = units('emil', 1, 'The goat.') as [UnitVectors];
  expect(await placesOf(unit.id)).toEqual(new Map());
  await vectors.upsert([unit]);
  const { id, operationId, fact, passage, documentKey, turn, isAppended, hasQuestion } = unit;
  const place = { id, operationId, fact, passage, documentKey, turn, isAppended, hasQuestion };
  expect(await placesOf(unknown, id)).toEqual(new Map([[id, place]]));
  await vectors.remove([id], 2);
  expect(await placesOf(id)).toEqual(new Map());
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

/** Makes members of a cluster of Qdrant that keeps two copies of each collection. */
async function newCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const peers = `http://127.0.0.1:${await findFreePort()}`;
  const launch = async (settings: Parameters<typeof qdrantDefinition.launch>[0], own: string) => {
    const alone = await qdrantDefinition.launch(settings);
    const cluster = {
      QDRANT__CLUSTER__ENABLED: 'true',
      QDRANT__CLUSTER__P2P__PORT: new URL(own).port,
      QDRANT__STORAGE__COLLECTION__REPLICATION_FACTOR: '2',
    };
    const joining = own === peers ? [] : ['--bootstrap', peers];
    return {
      arguments: [...alone.arguments, '--uri', own, ...joining],
      environment: { ...alone.environment, ...cluster },
    };
  };
  return async (name: string, own = peers) => {
    const definition = { ...qdrantDefinition, launch: (settings) => launch(settings, own) } as typeof qdrantDefinition;
    const server = await createTestServer({ definition, folder: join(folder, name) });
    onTestFinished(() => server.kill());
    await server.start();
    return server;
  };
}

it('is created when the cluster has a member for each copy, and not before', async () => {
  const startMember = await newCluster();
  const first = await startMember('first');
  const client = await connectQdrant(first.url);
  onTestFinished(() => client.close());
  const index = createVectorIndex(client, 'copied', 2);
  const creating = index.create('mark');
  await expect.poll(async () => (await client.collectionExists('copied')).exists).toBe(true);
  await startMember('second', `http://127.0.0.1:${await findFreePort()}`);
  await creating;
  expect(await index.mark()).toEqual({ mark: 'mark', stamp: 0 });
  // A model whose vectors have another length cannot use it.
  expect((await createVectorIndex(client, 'copied', 3).mark())?.mark).toBe('mark with vectors of 2 numbers');
  const { local_shards, remote_shards } = await client.collectionClusterInfo('copied');
  expect(remote_shards).toHaveLength(local_shards.length);
});

it('is not created in a cluster that stays too small, and says what to do', async () => {
  const startMember = await newCluster();
  const client = await connectQdrant((await startMember('first')).url);
  onTestFinished(() => client.close());
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const index = createVectorIndex(client, 'copied', 2);
  const creating = index.create('mark');
  clock.mockReturnValue(performance.now() + 60_000);
  await expect(creating).rejects.toThrow(/keeps 1 of 2 copies .*start the members .*replication factor/);
  expect(await index.mark()).toBeUndefined();
});
