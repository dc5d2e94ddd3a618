import type { BatchPutReply } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  return system.stop;
});

test('a stored memory is found when the synchronous batch is answered', async () => {
  const items = [{ content: 'Crate 17 holds lemons.' }];
  const stored = await system.http.post<BatchPutReply>('/api/memories/batch', { agent_id: 'first', items });
  expect(stored).toMatchObject({ status: 200, body: { success: true } });
  const found = await system.http.post('/api/search', { agent_id: 'first', query: 'Which crate holds lemons?' });
  expect(found.body.results[0].text).toBe('Crate 17 holds lemons.');
});
