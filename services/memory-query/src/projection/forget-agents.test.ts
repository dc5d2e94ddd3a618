import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openReadModel, vectorsName } from '../read-model/open-read-model.ts';
import { createLogWriter } from '../testing/events.ts';
import { startStores } from '../testing/read-model.ts';
import { createRows } from '../testing/rows.ts';
import { finishErasures } from './forget-agents.ts';
import { memoryProjection } from './memory-projection.ts';

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

/** How many rows of each kind there are, and points. */
async function counts({ collections, version } = opened.readModel) {
  const { agents, operations, documents, units, entities } = collections;
  const rows = await Promise.all([agents, operations, documents, units, entities].map((each) => each.countDocuments()));
  const { count } = await stores.qdrant.count(vectorsName(opened.db, version, stores.embeddings.name), { exact: true });
  return [...rows, count];
}

/** Two documents' worth of memories of Alice. */
async function life(log = createLogWriter(), id = 'a') {
  return [
    log.submitted(`${id}1`, 'diary', 'x'),
    await log.extracted(`${id}1`, 'diary', 'Alice lives in Lisbon.', 'Bob sails.'),
    log.submitted(`${id}2`, null, 'y'),
    await log.extracted(`${id}2`, null, 'Alice met Bob.'),
  ];
}

async function comeBack(): Promise<void> {
  const log = createLogWriter();
  log.erased();
  const events = [log.submitted('b', null, 'x'), await log.extracted('b', null, 'Alice sails.')];
  await opened.project().apply(events, { from: 1, to: 3 });
}

describe('an erased agent', () => {
  it('is gone from every collection and the vector index, and others stay', async () => {
    const [log, other] = [createLogWriter(), createLogWriter('public', 'bob')];
    const projection = opened.project();
    await projection.apply(await life(log), { from: 0, to: 4 });
    await projection.apply([other.submitted('o', 'doc', 'z'), await other.extracted('o', 'doc', 'Carol sings.')], {
      from: 4,
      to: 6,
    });
    expect(await counts()).toEqual([2, 3, 2, 4, 3, 4]);
    await projection.apply([log.erased()], { from: 6, to: 7 });
    expect(await counts()).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await opened.readModel.collections.links.countDocuments()).toBe(0);
  });

  it('starts empty when it comes back, however the events are cut', async () => {
    const history = async () => {
      const log = createLogWriter();
      return [...(await life(log)), log.erased(), ...(await life(log, 'b'))];
    };
    const events = await history();
    await opened.project().apply(events, { from: 0, to: 9 });
    const atOnce = await counts();
    const units = await opened.readModel.collections.units.find().sort({ _id: 1 }).toArray();
    opened = await stores.open();
    for (const [from, event] of events.entries()) await opened.project().apply([event], { from, to: from + 1 });
    expect(await counts()).toEqual(atOnce);
    expect(atOnce).toEqual([1, 2, 1, 3, 2, 3]);
    expect(await opened.readModel.collections.units.find().sort({ _id: 1 }).toArray()).toEqual(units);
    expect(units.map(({ ordinal }) => ordinal).sort()).toEqual([1, 2, 3]);
  });

  it.each([
    ['that is asked for', () => finishErasures(opened), []],
    ['it comes back', async () => comeBack(), ['Alice sails.']],
  ])('with many units keeps nobody waiting, and is gone when %s', async (_when, finish, left) => {
    const { collections } = opened.readModel;
    const rows = createRows();
    const units = Array.from({ length: 3_500 }, () => rows.unit('x', { sequence: 0 }));
    const [first, second] = units.slice(-2);
    if (!first || !second) throw new Error('There are no units');
    await collections.units.insertMany(units);
    await collections.links.insertOne(rows.link(first, second));
    await opened.project().apply([createLogWriter().erased()], { from: 0, to: 1 });
    expect(await collections.units.countDocuments()).toBe(1_500);
    await finish();
    expect((await collections.units.find().toArray()).map(({ text }) => text)).toEqual(left);
    expect(await collections.links.countDocuments()).toBe(0);
    expect(await collections.erasures.countDocuments()).toBe(0);
  });

  it('gets nothing from work that ends after its erasure, nor from rows that the projector remembers', async () => {
    const log = createLogWriter();
    const projection = opened.project();
    await projection.apply([log.submitted('a', 'diary', 'x')], { from: 0, to: 1 });
    await projection.apply([log.erased()], { from: 1, to: 2 });
    await projection.apply([await log.extracted('a', 'diary', 'Alice sails.'), log.failed('a')], { from: 2, to: 4 });
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('is gone from a version of the read model that was left behind, and not from one that is ahead', async () => {
    const log = createLogWriter();
    await opened.project().apply(await life(log), { from: 0, to: 4 });
    const { db } = opened;
    const next = await openReadModel({ db, qdrant: stores.qdrant, embeddings: stores.embeddings }, 2);
    const client = db.client;
    const projection = memoryProjection({ client, db, readModel: next, lexical: stores.lexical });
    await projection.readPosition();
    const later = [log.erased(), ...(await life(log, 'b'))];
    await projection.apply([...(await life()), ...later], { from: 0, to: 9 });
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await counts(next)).toEqual([1, 2, 1, 3, 2, 3]);
    await opened.project().apply(later, { from: 4, to: 9 });
    expect(await counts(next)).toEqual([1, 2, 1, 3, 2, 3]);
  });
});
