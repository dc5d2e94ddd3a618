import { beforeEach, expect, it } from 'vitest';
import { linkId } from '../read-model/link-rows.ts';
import type { MemoryCollections } from '../read-model/rows.ts';
import { useStores } from '../testing/read-model.ts';
import { createRows } from '../testing/rows.ts';
import { graph } from './queries.ts';

const stores = useStores();
let collections: MemoryCollections;

beforeEach(async () => {
  collections = (await stores.open()).readModel.collections;
});

it('draws the newest 1000 units and only the links between them, and counts all units', async () => {
  const rows = createRows();
  const units = Array.from({ length: 1_005 }, (_, index) => rows.unit(`fact ${index}`));
  const [first, ...others] = units;
  const [second, last] = [units[10], units.at(-1)];
  if (!first || !second || !last) throw new Error('There are no units');
  const kept = rows.link(second, last, { weight: 0.4 });
  const strongest = rows.link(second, last, { type: 'temporal', weight: 0.9 });
  await collections.units.insertMany([first, ...others]);
  await collections.links.insertMany(rows.linkRows(rows.link(first, last), kept, strongest, rows.link(first, second)));
  const drawn = await graph({ collections, removals: [] }, { space: 'public', agentId: 'alice' });
  expect(drawn.nodes.map(({ id }) => id)).toEqual(
    units
      .slice(5)
      .map(({ _id }) => _id)
      .reverse(),
  );
  expect(drawn.edges.map(({ data }) => data.id)).toEqual([strongest, kept].map(linkId));
  expect(drawn.table_rows).toHaveLength(1_000);
  expect(drawn.total_units).toBe(1_005);
});

it('draws one agent or all of a space, and one type or all', async () => {
  const [alice, bob, foreign] = [createRows(), createRows('public', 'bob'), createRows('7', 'alice')];
  await collections.agents.insertMany([alice.agent, bob.agent, foreign.agent]);
  await collections.units.insertMany([
    alice.unit('a'),
    alice.unit('b', { factType: 'opinion' }),
    bob.unit('c', { factType: 'opinion' }),
    foreign.unit('d', { factType: 'opinion' }),
  ]);
  const textsOf = async (query: { agentId?: string; factType?: 'opinion' }) => {
    const { nodes, total_units } = await graph({ collections, removals: [] }, { space: 'public', ...query });
    expect(total_units).toBe(nodes.length);
    return nodes.map(({ text }) => text).sort();
  };
  expect(await textsOf({})).toEqual(['a', 'b', 'c']);
  expect(await textsOf({ factType: 'opinion' })).toEqual(['b', 'c']);
  expect(await textsOf({ agentId: 'alice' })).toEqual(['a', 'b']);
  expect(await textsOf({ agentId: 'alice', factType: 'opinion' })).toEqual(['b']);
  expect(await textsOf({ agentId: 'unknown' })).toEqual([]);
});
