import type { Graph, Stats } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  const items = ['Alice Chen sails a boat.', 'Alice Chen sails a small boat.', 'I think that boats are lovely.'].map(
    (content) => ({ content, event_date: '2024-05-01T10:00:00Z', context: 'a letter' }),
  );
  await system.http.post('/api/memories/batch', { agent_id: 'sailor', document_id: 'diary', items });
  await system.http.post('/api/memories/batch', { agent_id: 'other', items: [{ content: 'Dana paints doors.' }] });
  return system.stop;
});

const graph = async (query: string) => (await system.http.get<Graph>(`/api/graph${query}`)).body;

test('the graph shows units, the links among them, and a table', async () => {
  const { nodes, edges, table_rows, total_units } = await graph('?agent_id=sailor');
  expect([nodes.length, table_rows.length, total_units]).toEqual([3, 3, 3]);
  const node = nodes.find(({ text }) => text === 'Alice Chen sails a small boat.');
  const fields = {
    id: expect.any(String),
    text: 'Alice Chen sails a small boat.',
    context: 'a letter',
    date: '2024-05-01T10:00:00.000Z',
    entities: 'Alice Chen (PERSON)',
  };
  const drawn = { ...fields, label: 'Alice Chen sails a small boat.', type: 'world', color: expect.any(String) };
  expect(node).toEqual({ ...drawn, data: drawn });
  expect(table_rows).toContainEqual(fields);
  const ids = new Set(nodes.map(({ id }) => id));
  expect(edges.length).toBeGreaterThan(2);
  for (const { from, to, type, weight, data } of edges) {
    expect([ids.has(from), ids.has(to), weight > 0 && weight <= 1]).toEqual([true, true, true]);
    expect(data).toMatchObject({ source: from, target: to, linkType: type, weight });
  }
  const shared = edges.find(({ type }) => type === 'entity');
  expect(shared?.data.entityName).toBe('Alice Chen');
});

test('statistics count the links that the graph shows', async () => {
  const { edges } = await graph('?agent_id=sailor');
  const { body } = await system.http.get<Stats>('/api/stats/sailor');
  const byType = Object.groupBy(edges, ({ type }) => type);
  expect(body.links_by_type).toEqual(
    Object.fromEntries(Object.entries(byType).map(([type, each]) => [type, each?.length])),
  );
  expect(body.total_links).toBe(edges.length);
});

test('without an agent all are drawn, and a type narrows it', async () => {
  expect((await graph('')).total_units).toBe(4);
  const opinions = await graph('?fact_type=opinion');
  expect(opinions.nodes.map(({ text }) => text)).toEqual(['I think that boats are lovely.']);
  expect(opinions.edges).toEqual([]);
  expect(await graph('?agent_id=nobody')).toEqual({ nodes: [], edges: [], table_rows: [], total_units: 0 });
  expect((await system.http.get('/api/graph?fact_type=rumour')).status).toBe(422);
});

test('a deleted unit takes its links with it', async () => {
  const before = await graph('?agent_id=sailor');
  const [edge] = before.edges;
  await system.http.delete(`/api/memory/${edge?.to}`);
  const after = await graph('?agent_id=sailor');
  expect(after.nodes.map(({ id }) => id)).not.toContain(edge?.to);
  expect(after.edges).toEqual(before.edges.filter(({ from, to }) => from !== edge?.to && to !== edge?.to));
});
