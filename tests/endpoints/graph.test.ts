import type { Graph } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  const items = ['Alice Chen sails a boat.', 'Alice Chen sails a small boat.', 'I think that boats are lovely.'].map(
    (content) => ({ content, event_date: '2024-05-01T10:00:00Z', context: 'a letter' }),
  );
  await http.post('/api/memories/batch', { agent_id: 'sailor', document_id: 'diary', items });
  return system.release;
});

const drawnAs: Readonly<Record<string, readonly string[]>> = {
  temporal: ['#00bcd4', 'dashed'],
  semantic: ['#ff69b4', 'solid'],
  entity: ['#ffd700', 'solid'],
};

const graph = async (query: string) => (await http.get<Graph>(`/api/graph${query}`)).body;

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
  for (const { from, to, type, weight, color, lineStyle, data } of edges) {
    expect([ids.has(from), ids.has(to), weight > 0 && weight <= 1]).toEqual([true, true, true]);
    expect(data).toMatchObject({ source: from, target: to, linkType: type, weight, color, lineStyle });
    expect([color, lineStyle]).toEqual(drawnAs[type]);
  }
  const shared = edges.find(({ type }) => type === 'entity');
  expect(shared?.data.entityName).toBe('Alice Chen');
});

test('the graph is narrowed by time, entity, document and kind of link, and bounded', async () => {
  const texts = async (query: string) => (await graph(`?agent_id=sailor${query}`)).nodes.map(({ text }) => text).sort();
  expect(await texts('&since=2024-05-01T10:00:00Z')).toHaveLength(3);
  expect(await texts('&since=2024-05-01T10:00:01Z')).toEqual([]);
  expect(await texts('&until=2024-05-01T10:00:00Z')).toEqual([]);
  expect(await texts('&until=2024-05-02')).toHaveLength(3);
  const byEntity = await graph('?agent_id=sailor&entity=Alice%20Chen');
  expect(byEntity.nodes.map(({ text }) => text).sort()).toEqual([
    'Alice Chen sails a boat.',
    'Alice Chen sails a small boat.',
  ]);
  expect(byEntity.total_units).toBe(2);
  expect(await texts('&entity=Alice')).toEqual([]);
  expect(await texts('&document_id=diary')).toHaveLength(3);
  expect(await texts('&document_id=other')).toEqual([]);
  expect((await graph('?fact_type=world&entity=Alice%20Chen')).total_units).toBe(2);
  for (const type of ['temporal', 'semantic', 'entity']) {
    const { nodes, edges } = await graph(`?agent_id=sailor&link_type=${type}`);
    expect([nodes.length, ...new Set(edges.map((edge) => edge.type))]).toEqual([3, type]);
  }
  const small = await graph('?agent_id=sailor&limit=2&edge_limit=1');
  expect([small.nodes.length, small.edges.length, small.total_units]).toEqual([2, 1, 3]);
  expect((await graph('?agent_id=sailor&edge_limit=0')).edges).toEqual([]);
  const span = 'since=2024-05-02&until=2024-05-01';
  for (const query of ['limit=0', 'limit=1001', 'edge_limit=5001', 'edge_limit=-1', 'link_type=x', 'since=x', span]) {
    expect([query, (await http.get(`/api/graph?${query}`)).status]).toEqual([query, 422]);
  }
});

test('a deleted unit takes its links with it', async () => {
  const before = await graph('?agent_id=sailor');
  const [edge] = before.edges;
  await http.delete(`/api/memory/${edge?.to}`);
  const after = await graph('?agent_id=sailor');
  expect(after.nodes.map(({ id }) => id)).not.toContain(edge?.to);
  expect(after.edges).toEqual(before.edges.filter(({ from, to }) => from !== edge?.to && to !== edge?.to));
});
