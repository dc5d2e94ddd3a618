import { agentKey, type MemoryEvent, partitionOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { getDocument, listDocuments } from '../documents/queries.ts';
import { graph } from '../graph/queries.ts';
import { listOperations } from '../operations/queries.ts';
import type { StoredContents } from '../read-model/read-model.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { StoredRemoval } from '../read-model/rows.ts';
import { search } from '../search/search.ts';
import { agentStats } from '../stats/queries.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { storedLinks } from '../testing/rows.ts';
import { findUnit, listUnits } from '../units/queries.ts';
import { LaneRemovals } from './lane-removals.ts';

type Events = Recorded<MemoryEvent>[];

const alice = { space: 'public', agentId: 'alice' };
const people = ['Alice', 'Bob', 'Carol'];
const things = ['tea', 'cello', 'boat', 'garden', 'novel', 'oven', 'violin'];

const stores = useStores();
let opened: Awaited<ReturnType<typeof stores.open>>;

beforeEach(async () => {
  opened = await stores.open();
});

function sentences(count: number, word: string): string[] {
  return Array.from(
    { length: count },
    (_, index) =>
      `${people[index % 3]} likes the ${word} ${things[index % 7]} number ${index} of ${things[(index * 3) % 7]}.`,
  );
}

/** More units than are removed at once. */
const many = { old: 260, fresh: 40 };
/** More than are removed at once while questions come. */
const some = { old: 110, fresh: 30 };

/** A document of which some units are replaced by others, and something else. */
async function replaced({ old, fresh } = some, log = createLogWriter()): Promise<Events> {
  return [
    ...(await log.batch('a', 'doc', ...sentences(old, 'old'))),
    ...(await log.batch('n', null, ...sentences(20, 'other'))),
    log.submitted('b', 'doc', 'y'),
    await log.extracted('b', 'doc', ...sentences(fresh, 'new')),
    ...(await log.batch('m', null, ...sentences(30, 'later'))),
  ];
}

/** Everything that queries say of the agent. */
async function answers() {
  const readable = await opened.readable();
  const page = { limit: 1_000, offset: 0 };
  const { embeddings, lexical } = stores;
  const asked = {
    ...alice,
    query: 'Who likes the old tea?',
    factTypes: [],
    trace: false,
    questionDate: '2026-01-02T00:00:00Z',
  };
  const limits = { reranker: 'heuristic', thinkingBudget: 1_000, maxTokens: 100_000 } as const;
  const [units, ofSpace, drawn, documents, stats, found] = await Promise.all([
    listUnits(readable, { ...alice, ...page }),
    listUnits(readable, { space: 'public', q: 'old', ...page }),
    graph(readable, alice),
    listDocuments(readable, { ...alice, ...page }),
    agentStats(readable, alice),
    search({ ...readable, embeddings, lexical }, { ...asked, ...limits }),
  ]);
  const ids = found.results.map(({ id }) => id).sort();
  return { units, ofSpace, nodes: drawn.nodes.length, total: drawn.total_units, documents, stats, ids };
}

/** How many links of each type the statistics show. */
async function linkTypesOf() {
  return (await agentStats(await opened.readable(), alice)).links_by_type;
}

async function storedRows() {
  const { units, links, entities, linkCounts } = opened.readModel.collections;
  const all = [units, links, entities, linkCounts] as unknown as (typeof units)[];
  return Promise.all(all.map((each) => each.find({}).sort({ _id: 1 }).toArray()));
}

describe('a large document that is replaced', () => {
  it('leaves the counts of links right while a step is done before each read of them', async () => {
    await opened.project().apply(await replaced(many));
    const readable = await opened.readable();
    const right = await agentStats(readable, alice);
    const { linkCounts } = readable.collections;
    const stored = await linkCounts.findOne({});
    const findOne = async (...read: Parameters<typeof linkCounts.findOne>) => {
      await opened.maintainOnce(agentKey(alice), async () => undefined);
      return linkCounts.findOne(...read);
    };
    const collections = { ...readable.collections, linkCounts: { findOne } as unknown as typeof linkCounts };
    expect(await agentStats({ ...readable, collections }, alice)).toEqual(right);
    expect(await linkCounts.findOne({})).not.toEqual(stored);
  });

  it('is removed for every reader at once, and deleted step by step without a change in any answer', async () => {
    await opened.project().apply(await replaced(many));
    const { units, removals } = opened.readModel.collections;
    expect(await units.countDocuments()).toBe(350);
    expect(await removals.countDocuments()).toBe(1);
    const before = await answers();
    expect(before.units.total).toBe(90);
    expect(before.ofSpace.total).toBe(0);
    expect(before.documents.items).toMatchObject([{ id: 'doc', memory_unit_count: 40 }]);
    expect(before.stats.total_nodes).toBe(90);
    expect(await findUnit(opened.readModel.collections, { space: 'public', unitId: unitId('a', 0) })).toEqual({
      agentId: null,
    });
    await opened.maintain();
    expect(await units.countDocuments()).toBe(90);
    expect(await removals.countDocuments()).toBe(0);
    expect(await opened.countPoints()).toBe(90);
    expect(await answers()).toEqual(before);
  });

  it('leaves the same rows whenever it is deleted: at the end, or between any two events', async () => {
    const events = await replaced(many);
    await opened.project().apply(events);
    await opened.maintain();
    const atTheEnd = await storedRows();
    opened = await stores.open();
    for (const event of events) {
      await opened.project().apply([event]);
      await opened.maintain();
    }
    expect(await storedRows()).toEqual(atTheEnd);
  });

  it('is deleted as fast as it is replaced once more', async () => {
    const log = createLogWriter();
    await opened.project().apply(await replaced({ ...many, fresh: 250 }, log));
    const third = [log.submitted('c', 'doc', 'z'), await log.extracted('c', 'doc', ...sentences(260, 'ink'))];
    await opened.project().apply(third);
    const { units, removals } = opened.readModel.collections;
    expect(await units.countDocuments()).toBe(50 + 250 + 260);
    expect(await removals.countDocuments()).toBe(1);
    await opened.maintain();
    expect(await units.countDocuments()).toBe(50 + 260);
  });

  it('is deleted between events while 50 of its lane wait to be, and leaves the rows that it leaves later', async () => {
    const log = createLogWriter();
    const twice = async (id: string) => [
      ...(await log.batch(`${id}1`, id, ...sentences(101, id))),
      log.submitted(`${id}2`, id, 'y'),
      await log.extracted(`${id}2`, id, `Alice likes the new ${id}.`),
    ];
    const before = [...(await replaced(some, log)), ...(await twice('atlas'))];
    const after = [...(await twice('lexicon')), ...(await twice('diary'))];
    await opened.project().apply([...before, ...after]);
    await opened.maintain();
    const atTheEnd = await storedRows();
    opened = await stores.open();
    await opened.project().apply(before);
    const { removals, units } = opened.readModel.collections;
    const row = { lane: partitionOf(agentKey(alice)), space: 'public', agentKey: agentKey(alice), before: 1 };
    const others = Array.from({ length: 48 }, (_, index) => `other-${index}`);
    await removals.insertMany(others.map((documentKey) => ({ ...row, _id: documentKey, documentKey })));
    await opened.project().apply(after);
    expect(await removals.countDocuments()).toBe(50);
    expect(await units.countDocuments({ documentId: { $in: ['doc', 'atlas'] } })).toBe(31);
    await opened.maintain();
    expect(await storedRows()).toEqual(atTheEnd);
  });

  it('can be replaced once more, and be deleted before the second version is', async () => {
    const log = createLogWriter();
    const events = await replaced({ ...many, fresh: 110 }, log);
    await opened.project().apply(events);
    const third = [log.submitted('c', 'doc', 'z'), await log.extracted('c', 'doc', 'The end of the story.')];
    await opened.project().apply(third);
    expect((await answers()).stats.total_nodes).toBe(51);
    await opened.project().apply([log.deleted('doc')]);
    expect((await answers()).stats.total_nodes).toBe(50);
    await opened.maintain();
    expect(await opened.readModel.collections.units.countDocuments()).toBe(50);
    expect(await opened.countPoints()).toBe(50);
  });

  it('leaves no link to it, however many units are linked to one of its own', async () => {
    await opened.project().apply(await replaced());
    const { collections } = opened.readModel;
    const others = Array.from({ length: 1_200 }, (_, index) => `other-${index}`);
    const link = { type: 'semantic', weight: 0.9, entity: null } as const;
    const links = [unitId('a', 0), 'kept'].map((from) => ({ ...link, from }));
    const key = agentKey(alice);
    await collections.links.insertMany(others.map((_id) => ({ _id, agentKey: key, links })));
    await collections.linkCounts.updateOne({ _id: key }, { $inc: { semantic: 2 * others.length } });
    const { semantic } = await linkTypesOf();
    await opened.maintain();
    const left = (await storedLinks(collections)).filter(({ to }) => others.includes(to));
    expect(left.map(({ from }) => from)).toEqual(others.map(() => 'kept'));
    expect((await linkTypesOf()).semantic).toBe(semantic);
    expect(await collections.linkCounts.findOne({})).toMatchObject({ semantic });
  });

  it('is one of a single unit, when more units lead to it than are changed in one transaction', async () => {
    const log = createLogWriter();
    const stored = await log.extracted('a', 'note', 'Alice likes the tea.');
    await opened.project().apply([log.submitted('a', 'note', 'x'), stored]);
    const { collections } = opened.readModel;
    const key = agentKey(alice);
    const linked = (count: number, name: string) => {
      const link = { type: 'semantic', weight: 0.9, entity: null, from: unitId('a', 0) } as const;
      const rows = Array.from({ length: count }, (_, index) => ({
        _id: `${name}-${index}`,
        agentKey: key,
        links: [link],
      }));
      return collections.links.insertMany(rows);
    };
    await linked(501, 'newer');
    const replacing = await log.extracted('b', 'note', 'Bob likes the cello.');
    await opened.project().apply([log.submitted('b', 'note', 'y'), replacing]);
    expect(await collections.removals.countDocuments()).toBe(1);
    expect((await answers()).units.items.map(({ text }) => text)).toEqual(['Bob likes the cello.']);
    await opened.maintain();
    expect(await collections.units.countDocuments()).toBe(1);
    const toGone = (await storedLinks(collections)).filter(({ from }) => from === unitId('a', 0));
    expect(toGone).toEqual([]);
  });

  it('is deleted in smaller pieces that give way to questions while these come', async () => {
    await opened.project().apply(await replaced());
    const { units } = opened.readModel.collections;
    const before = await units.countDocuments();
    let waits = 0;
    const giveWay = async () => {
      waits += 1;
    };
    await opened.maintainOnce(agentKey(alice), giveWay);
    expect([before - (await units.countDocuments()), waits]).toEqual([100, 4]);
    await opened.maintain();
    expect(await units.countDocuments()).toBe(80);
  });

  it('is deleted further after a step that failed', async () => {
    await opened.project().apply(await replaced());
    const { maintenance } = opened.store;
    let commits = 0;
    const failing = maintenance?.step(partitionOf(agentKey(alice)), async () => {
      commits += 1;
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect(commits).toBe(1);
    const { removals } = opened.readModel.collections;
    expect(await removals.countDocuments()).toBe(1);
    await opened.maintain();
    expect(await opened.readModel.collections.units.countDocuments()).toBe(80);
  });
});

describe('an erased agent', () => {
  const life = async (log = createLogWriter(), id = 'a') => [
    ...(await log.batch(`${id}1`, 'diary', 'Alice lives in Lisbon.', 'Bob sails.')),
    ...(await log.batch(`${id}2`, null, 'Alice met Bob.')),
  ];
  const counts = async () => {
    const { agents, operations, documents, units, entities, links, linkCounts } = opened.readModel.collections;
    const all = [agents, operations, documents, units, entities, links, linkCounts];
    return [...(await Promise.all(all.map((each) => each.countDocuments()))), await opened.countPoints()];
  };

  it('is removed for every reader at once, and from every store soon after; other agents stay', async () => {
    const [log, other] = [createLogWriter(), createLogWriter('public', 'bob')];
    await opened.project().apply(await life(log));
    await opened.project().apply([other.submitted('o', 'doc', 'z'), await other.extracted('o', 'doc', 'Carol sings.')]);
    await opened.project().apply([log.erased()]);
    const readable = await opened.readable();
    expect(await listUnits(readable, { ...alice, limit: 10, offset: 0 })).toMatchObject({ items: [], total: 0 });
    expect((await listUnits(readable, { space: 'public', limit: 10, offset: 0 })).total).toBe(1);
    expect(await listDocuments(readable, { ...alice, limit: 10, offset: 0 })).toMatchObject({ items: [], total: 0 });
    await expect(getDocument(readable, { ...alice, documentId: 'diary' })).rejects.toMatchObject({
      code: 'document-not-found',
    });
    expect(await listOperations(readable, alice)).toMatchObject({ operations: [] });
    expect(await agentStats(readable, alice)).toMatchObject({ total_nodes: 0, total_links: 0, total_documents: 0 });
    await opened.maintain();
    expect(await counts()).toEqual([1, 1, 1, 1, 1, 0, 0, 1]);
  });

  it('starts empty when it is created again, however the events are cut', async () => {
    const log = createLogWriter();
    const events = [...(await life(log)), log.erased(), ...(await life(log, 'b'))];
    await opened.project().apply(events);
    const atOnce = await storedRows();
    expect(await opened.readModel.collections.removals.countDocuments()).toBe(0);
    opened = await stores.open();
    for (const event of events) await opened.project().apply([event]);
    expect(await storedRows()).toEqual(atOnce);
    expect((await counts()).slice(0, 4)).toEqual([1, 2, 1, 3]);
  });

  describe('that is created again in a batch of several lanes', () => {
    const other = createLogWriter('public', 'bob');
    const log = createLogWriter('public', 'alice', 10);
    const lanesOf = (events: Events) =>
      [...Map.groupBy(events, ({ data }) => partitionOf('agentKey' in data ? data.agentKey : agentKey(data)))].map(
        ([lane, ofLane]) => ({ lane, events: ofLane }),
      );
    const applyTogether = (events: Events) => opened.apply(events, lanesOf(events));

    it('holds up no other lane while it is being erased: the batch is refused, and each lane applied alone', async () => {
      await opened.apply(await life(log));
      await opened.apply([log.erased()]);
      const again = [...(await life(log, 'b')), ...(await life(other, 'o'))];
      await expect(applyTogether(again)).rejects.toThrow('still being erased');
      const { units, removals } = opened.readModel.collections;
      expect([await units.countDocuments(), await removals.countDocuments()]).toEqual([3, 1]);
      for (const lane of lanesOf(again)) await opened.apply(lane.events, [lane]);
      expect([await units.countDocuments(), await removals.countDocuments()]).toEqual([6, 0]);
      await applyTogether([...(await life(log, 'c')), ...(await life(other, 'p'))]);
    });

    it('is applied alone also when that batch erases it', async () => {
      const ended = [...(await life(log, 'd')), log.erased(), ...(await life(other, 'p'))];
      await expect(applyTogether([...ended, ...(await life(log, 'e'))])).rejects.toThrow('still being erased');
      await applyTogether(ended);
    });
  });

  it('is removed before the replaced documents of its lane', async () => {
    const { removals } = opened.readModel.collections;
    const row = { lane: partitionOf(agentKey(alice)), space: 'public', agentKey: 'any', before: 1 };
    await removals.insertMany([
      { ...row, _id: 'document', documentKey: 'doc' },
      { ...row, _id: 'agent', documentKey: null },
    ]);
    const { maintenance } = opened.store;
    const isAwaited = async () => {
      opened.store.forgetLane?.(row.lane);
      const read = maintenance?.step(row.lane, () => Promise.reject(new Error('killed')));
      await expect(read).rejects.toThrow('killed');
      return maintenance?.isAwaited?.(row.lane);
    };
    expect(await isAwaited()).toBe(true);
    await opened.maintainOnce(agentKey(alice));
    expect(await removals.distinct('_id')).toEqual(['document']);
    expect(await isAwaited()).toBe(false);
  });

  it('gets nothing from work that ends after its erasure, nor from cached rows', async () => {
    const log = createLogWriter();
    const projection = opened.project();
    await projection.apply([log.submitted('a', 'diary', 'x')]);
    await projection.apply([log.erased()]);
    await projection.apply([await log.extracted('a', 'diary', 'Alice sails.'), log.failed('a')]);
    await opened.maintain();
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

it('a read that ends after its lane was forgotten hides no removal that was stored since', async () => {
  const key = agentKey(alice);
  const lane = partitionOf(key);
  const late = Promise.withResolvers<readonly StoredRemoval[]>();
  const answers = [late.promise, Promise.resolve([])];
  const find = () => ({ toArray: () => answers.shift() });
  const removals = new LaneRemovals({ collections: { removals: { find } } } as unknown as StoredContents);
  const ofFailedBatch = removals.of(key);
  removals.forget(lane);
  await removals.of(key);
  const stored = { _id: key, lane, space: 'public', agentKey: key, documentKey: null, before: 7 };
  removals.add([stored]);
  late.resolve([]);
  await ofFailedBatch;
  expect(removals.knownOf(key)).toEqual([stored]);
  expect(removals.isDue(lane)).toBe(true);
});
