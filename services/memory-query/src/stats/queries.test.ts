import { expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { storedLinks } from '../testing/rows.ts';
import { agentStats } from './queries.ts';

const stores = useStores();

const agent = { space: 'public', agentId: 'alice' };

it('counts links by type, however they are added and removed', async () => {
  const { readModel, project } = await stores.open();
  const { collections } = readModel;
  const log = createLogWriter();
  const batches = [
    await log.batch('a', 'diary', 'Alice sails.', 'Bob paints.', 'Alice rows.'),
    [log.submitted('b', 'notes', 'y'), await log.extracted('b', 'notes', 'Bob paints doors.', 'Alice sails a boat.')],
    [log.forgotten(unitId('b', 0))],
    [log.submitted('c', 'diary', 'z'), await log.extracted('c', 'diary', 'Alice swims.', 'Bob reads.')],
    [log.deleted('diary')],
    [log.erased()],
  ];
  const seen: number[] = [];
  for (const events of batches) {
    await project().apply(events);
    const { total_links, links_by_type } = await agentStats(readModel, agent);
    const stored = await storedLinks(collections);
    const byType = Object.groupBy(stored, ({ type }) => type);
    expect(links_by_type).toEqual(
      Object.fromEntries(Object.entries(byType).map(([type, each]) => [type, each.length])),
    );
    expect(total_links).toBe(stored.length);
    seen.push(total_links);
  }
  expect(seen[0]).toBeGreaterThan(0);
  expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
  expect(seen[2]).toBeLessThan(seen[1] ?? 0);
  expect(seen.at(-1)).toBe(0);
  expect(await collections.linkCounts.countDocuments()).toBe(0);
});

it('returns zeros, and no types, for an unknown agent', async () => {
  const { readModel } = await stores.open();
  expect(await agentStats(readModel, { space: 'public', agentId: 'unknown' })).toEqual({
    agent_id: 'unknown',
    total_nodes: 0,
    total_links: 0,
    total_documents: 0,
    nodes_by_type: {},
    links_by_type: {},
    pending_operations: 0,
    failed_operations: 0,
  });
});
