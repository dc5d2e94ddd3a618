import { agentKey, memorySubjects } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { type EventLog, openEventLog } from '../system/event-log.ts';
import { eventually } from '../system/eventually.ts';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
let log: EventLog;

beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  log = await openEventLog(system.stack.natsUrl);
  return async () => {
    await log.close();
    await system.stop();
  };
});

const store = (agent_id: string, content: string) =>
  system.http.post('/api/memories/batch', { agent_id, items: [{ content }] });

/** Another agent of the same partition, and thus of the same lane. */
function neighbourOf(agentId: string): string {
  const laneOf = (id: string) => Number.parseInt(agentKey({ space: 'public', agentId: id }).slice(0, 8), 16) % 64;
  for (let number = 1; ; number += 1)
    if (laneOf(`neighbour-${number}`) === laneOf(agentId)) return `neighbour-${number}`;
}

test.each([
  ['cannot be read', 'FactsExtracted', { nonsense: true }],
  ['is of a type that nobody knows', 'SomethingNew', {}],
])('an event that %s holds up only its own agent', async (what, type, data) => {
  const agentId = `poisoned-${type}`;
  const neighbour = neighbourOf(agentId);
  expect((await store(agentId, 'Alice holds lemons.')).status).toBe(200);
  await log.append(memorySubjects.agent({ space: 'public', agentId }), type, data);
  const begin = performance.now();
  expect((await store(neighbour, 'Bob holds limes.')).status).toBe(200);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect((await store('somebody-else', `Carol says that ${what}.`)).status).toBe(200);
  const refused = await eventually('the agent is answered 503', async () => {
    const answer = await system.http.get(`/api/list?agent_id=${agentId}`);
    return answer.status === 503 && answer;
  });
  expect(refused.body).toMatchObject({ code: 'READ_MODEL_BEHIND', message: expect.stringContaining(type) });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await system.http.get(`/api/list?agent_id=${neighbour}`)).body.total).toBe(1);
  const counted = /mneme_read_model_dead_letters\{[^}]*read_model="memory"[^}]*\} [1-9]/;
  await eventually('the metrics show it', async () => counted.test((await system.http.get<string>('/metrics')).body));
});

test('an agent that waits is erased all the same, and starts anew', async () => {
  const agentId = 'poisoned-FactsExtracted';
  const erased = await system.http.delete(`/api/agents/${agentId}`);
  expect([200, 503]).toContain(erased.status);
  await eventually('the agent is there again', async () => (await store(agentId, 'Dana holds pears.')).status === 200);
  expect((await system.http.get(`/api/list?agent_id=${agentId}`)).body.total).toBe(1);
});
