import { documentKey, partitionOf } from '@mneme/contracts';
import type { Db } from 'mongodb';
import { beforeEach, expect, it } from 'vitest';
import { listAgents } from '../agents/queries.ts';
import { graph } from '../graph/queries.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { removalId } from '../read-model/removals.ts';
import type { MemoryCollections } from '../read-model/rows.ts';
import { agentStats } from '../stats/queries.ts';
import { useStores } from '../testing/read-model.ts';
import { createRows } from '../testing/rows.ts';
import { listUnits } from '../units/queries.ts';

const stores = useStores();
let db: Db;
let readable: ReadableRows;

/** How many units alice keeps, and how many there are of the version of a document that is being removed. */
const [kept, gone] = [120, 80];
const report = documentKey('report');

beforeEach(async () => {
  const opened = await stores.open();
  db = opened.db;
  await fill(opened.readModel.collections);
  readable = await opened.readable();
});

/** The removal of a former version of alice's report and the erasure of eve are pending. */
async function fill({ agents, units, removals }: MemoryCollections): Promise<void> {
  const [alice, bob, eve] = [createRows(), createRows('public', 'bob'), createRows('public', 'eve')];
  const now = new Date();
  await agents.insertMany([alice, bob].map(({ agent }) => ({ ...agent, createdAt: now, updatedAt: now })));
  const ofReport = (count: number, text: string) =>
    Array.from({ length: count }, () => alice.unit(text, { documentKey: report }));
  await units.insertMany([
    ...ofReport(gone, 'the old boat'),
    ...ofReport(20, 'the new boat'),
    ...Array.from({ length: kept - 20 }, () => alice.unit('the green tea', { factType: 'opinion' })),
    bob.unit('the boat of Bob', { documentKey: report }),
    ...Array.from({ length: 30 }, () => eve.unit('the boat of Eve', { eventDate: new Date(0) })),
  ]);
  const removal = (agentKey: string, documentKey: string | null, before: number) => {
    const _id = removalId(agentKey, documentKey);
    return { _id, lane: partitionOf(agentKey), space: 'public', agentKey, documentKey, before };
  };
  await removals.insertMany([removal(alice.agent._id, report, gone + 1), removal(eve.agent._id, null, 1_000)]);
}

/** How many units MongoDB looks at for a read. */
async function examinedBy<T>(read: () => Promise<T>): Promise<{ readonly result: T; readonly examined: number }> {
  await db.setProfilingLevel('all');
  const result = await read();
  await db.setProfilingLevel('off');
  const profile = db.collection<{ docsExamined: number }>('system.profile');
  const ns = readable.collections.units.namespace;
  const operations = await profile.find({ ns, docsExamined: { $exists: true } }).toArray();
  return { result, examined: operations.reduce((sum, { docsExamined }) => sum + docsExamined, 0) };
}

const page = { space: 'public', limit: 10, offset: 0 };
const ofAlice = { ...page, agentId: 'alice' };
const since = '2026-01-01T00:00:00Z';

it.each([
  ['an agent', ofAlice, kept, 10],
  ['one type', { ...ofAlice, factType: 'opinion' as const }, kept - 20, 10 + gone],
  ['a time', { ...ofAlice, since }, kept, 10 + gone],
  ['words', { ...ofAlice, q: 'new boat' }, 20, 10 + gone],
  ['a document', { ...ofAlice, documentId: 'report', limit: 30 }, 20, 20],
  ['a space', page, kept + 1, 10],
  ['words in a space', { ...page, q: 'boat' }, 21, 10 + gone],
])('the units of %s are counted without reading others than those of the page and of removals', async (...row) => {
  const [, query, total, rows] = row;
  const { result, examined } = await examinedBy(() => listUnits(readable, query));
  expect(result.total).toBe(total);
  expect(examined).toBeLessThanOrEqual(rows);
});

it('those of a graph, of the list of agents and of the statistics are counted in the same way', async () => {
  const drawn = await examinedBy(() => graph(readable, ofAlice));
  expect(drawn).toMatchObject({ result: { total_units: kept }, examined: 10 });
  const counted = await examinedBy(() => listAgents(readable, { ...page, counts: true }));
  const counts = counted.result.agents.map((agent) => [agent.agent_id, agent.memory_unit_count]);
  expect(Object.fromEntries(counts)).toEqual({ alice: kept, bob: 1 });
  const stats = await examinedBy(() => agentStats(readable, ofAlice));
  expect(stats.result.nodes_by_type).toEqual({ opinion: kept - 20, world: 20 });
  // The profile has all three reads; the statistics read the removed units.
  expect(stats.examined).toBe(10 + gone);
});
