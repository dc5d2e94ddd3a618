import type { UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  return system.stop;
});

test('a read sees what was written up to its position, 50 times of 50', async () => {
  for (let count = 1; count <= 50; count++) {
    const batch = { agent_id: 'seen', items: [{ content: `Crate C${count} holds lemons.` }] };
    const stored = await system.http.post('/api/memories/batch', batch);
    const position = stored.headers.get('x-event-position') ?? '';
    const listed = await system.http.get<UnitList>('/api/list?agent_id=seen', { 'x-min-event-position': position });
    expect(listed.body.total).toBe(count);
  }
});

test.each([
  '',
  '7',
  'MEMORY',
  'MEMORY:',
  'MEMORY:-1',
  'MEMORY:1.5',
  'MEMORY:x',
  'OTHER:1',
  'MEMORY:1e3',
  'MEMORY:99999999999999999',
])('the position %j is 400', async (position) => {
  const answer = await system.http.get('/api/agents', { 'x-min-event-position': position });
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('a position ahead of the log is 400 at once, by every read', async () => {
  const headers = { 'x-min-event-position': 'MEMORY:1000000' };
  const json = { ...headers, 'content-type': 'application/json' };
  const id = crypto.randomUUID();
  const paths = [
    'list',
    'agents',
    'documents?agent_id=a',
    'documents/d?agent_id=a',
    'stats/a',
    'operations/a',
    `operations/${id}/status`,
  ];
  const begin = performance.now();
  const answers = await Promise.all([
    ...paths.map((path) => system.http.get(`/api/${path}`, headers)),
    system.http.post('/api/search', { query: 'x' }, json),
  ]);
  const tookMs = performance.now() - begin;
  for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(tookMs).toBeLessThan(4_000);
});
