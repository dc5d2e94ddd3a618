import type { SearchReply, Stats, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  return system.release;
});

const statsOf = async (agentId: string) => (await http.get<Stats>(`/api/stats/${agentId}`)).body;

test('a forgotten unit is gone from lists, searches and counts, and is not found again', async () => {
  const items = [{ content: 'Alice moved to Lisbon.' }, { content: 'Bob stayed in Rome.' }];
  await http.post('/api/memories/batch', { agent_id: 'forgetful', items, document_id: 'diary' });
  const units = await http.get<UnitList>('/api/list?agent_id=forgetful&q=Alice');
  const id = units.body.items[0]?.id ?? '';
  const forgotten = await http.delete(`/api/memory/${id.toUpperCase()}`);
  expect(forgotten.status).toBe(200);
  expect(forgotten.body).toEqual({
    success: true,
    unit_id: id,
    message: 'Memory unit and all its links deleted successfully',
  });
  expect(forgotten.headers.get('x-event-position')).toMatch(/^MEMORY:\d+$/);
  expect((await http.get<UnitList>('/api/list?agent_id=forgetful')).body.total).toBe(1);
  const found = await http.post<SearchReply>('/api/search', { agent_id: 'forgetful', query: 'Alice Lisbon' });
  expect(found.body.results.map((result) => result.id)).not.toContain(id);
  expect((await statsOf('forgetful')).total_nodes).toBe(1);
  expect((await http.get('/api/documents/diary?agent_id=forgetful')).body.memory_unit_count).toBe(1);
  const again = await http.delete(`/api/memory/${id}`);
  expect(again).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: 'Memory unit not found' } });
});

test('a unit that two callers forget at once is forgotten once', async () => {
  await http.post('/api/memories/batch', { agent_id: 'twice', items: [{ content: 'Alice moved to Lisbon.' }] });
  const id = (await http.get<UnitList>('/api/list?agent_id=twice')).body.items[0]?.id;
  const answers = await Promise.all(Array.from({ length: 5 }, () => http.delete(`/api/memory/${id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
});

test('statistics count units by type, documents and operations; kinds that do not occur are left out', async () => {
  const items = [{ content: 'Alice moved to Lisbon.' }, { content: 'The assistant sent the report.' }];
  await http.post('/api/memories/batch', { agent_id: 'counted', items, document_id: 'diary' });
  expect(await statsOf('counted')).toEqual({
    agent_id: 'counted',
    total_nodes: 2,
    total_links: expect.any(Number),
    total_documents: 1,
    nodes_by_type: { world: 1, agent: 1 },
    links_by_type: expect.any(Object),
    pending_operations: 0,
    failed_operations: 0,
  });
});
