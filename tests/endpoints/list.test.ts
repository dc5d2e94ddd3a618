import type { UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  const items = [
    { content: 'Alice moved to Lisbon.', event_date: '2024-05-01T10:00:00Z', context: 'by Letter' },
    { content: 'The assistant sent the report.', event_date: '2024-05-03T10:00:00Z' },
    { content: 'I think that Rome is lovely.', event_date: '2024-05-02T10:00:00Z' },
  ];
  await http.post('/api/memories/batch', { agent_id: 'lister', items });
  return system.release;
});

const list = (query: string) => http.get<UnitList>(`/api/list${query}`);

test('units come newest date first, with the fields of the specification', async () => {
  const { status, body } = await list('?agent_id=lister');
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 3, limit: 100, offset: 0 });
  expect(body.items.map(({ date }) => date)).toEqual([
    '2024-05-03T10:00:00.000Z',
    '2024-05-02T10:00:00.000Z',
    '2024-05-01T10:00:00.000Z',
  ]);
  expect(body.items[2]).toEqual({
    id: expect.any(String),
    text: 'Alice moved to Lisbon.',
    context: 'by Letter',
    date: '2024-05-01T10:00:00.000Z',
    fact_type: 'world',
    entities: expect.stringContaining('Lisbon (PLACE)'),
  });
});

test.each(['%00', '%E3%80%80', '(', '%5B', '.*', '%24where', 'a'.repeat(30_000)].entries().toArray())(
  'odd words are looked for (%i)',
  async (_index, q) => {
    expect((await list(`?agent_id=lister&q=${q}`)).status).toBe(200);
  },
);
