import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { createWebhook } from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';

/** A gateway waits 30 s for a service. */
const deadlineMs = 30_000;

let system: System;
let ana: Person;
let webhookId: number;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  ana = await newPerson(system.http);
  ({ id: webhookId } = await createWebhook(ana));
  await createKey(ana);
  const items = [{ content: 'Alice moved to Lisbon.' }];
  await system.http.post('/api/memories/batch', { agent_id: 'a', items });
  return system.stop;
});

/** Lets a server stand still with its connections open, as on a machine that hangs. @returns lets it go on */
function pauseServer(name: 'mongod' | 'qdrant'): () => void {
  const { pid } = system.stack.servers[name];
  if (pid === undefined) throw new Error(`${name} does not run here`);
  process.kill(pid, 'SIGSTOP');
  return () => void process.kill(pid, 'SIGCONT');
}

const readiness = () => system.http.get<{ checks: Record<string, string> }>('/readyz');
const isReady = async () => (await readiness()).status === 200;

test.runIf(atFullLength)(
  'while MongoDB hangs, /readyz names it, and reads and commands are 503 before their deadline',
  async () => {
    const webhooks = `/api/v3/projects/${ana.projectId}/webhooks`;
    const keys = `/api/v3/api-keys?project_id=${ana.projectId}`;
    const requests = () => [
      ana.http.get(keys),
      ana.http.get(webhooks),
      ana.http.post('/api/v3/api-keys', { project_id: ana.projectId, name: 'Late' }),
      ana.http.post(webhooks, { name: 'Late' }),
      ana.http.delete(`/api/v3/webhooks/${webhookId}`),
      system.http.get('/api/list?agent_id=a'),
      system.http.post('/api/search', { agent_id: 'a', query: 'Lisbon' }),
    ];
    const resume = pauseServer('mongod');
    try {
      const begin = performance.now();
      const first = Promise.all(requests());
      const ready = await readiness();
      expect(ready.status).toBe(503);
      for (const name of ['keys', 'webhook', 'memory-query']) {
        expect(ready.body.checks[name]).toContain('mongodb is unavailable');
      }
      const answers = [...(await first), ...(await Promise.all(requests()))];
      expect(performance.now() - begin).toBeLessThan(deadlineMs);
      for (const { status, headers } of answers) {
        expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      }
    } finally {
      resume();
    }
    await eventually('the system is ready again', isReady);
    const all = await Promise.all([
      ana.http.get(keys),
      ana.http.get(webhooks),
      system.http.get('/api/list?agent_id=a'),
    ]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  },
);

test.runIf(atFullLength)('while Qdrant hangs, /readyz names it, and a search is 503 before its deadline', async () => {
  const resume = pauseServer('qdrant');
  try {
    const search = system.http.post('/api/search', { agent_id: 'a', query: 'Lisbon' });
    expect((await readiness()).body.checks['memory-query']).toContain('qdrant is unavailable');
    const { status, headers } = await search;
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  } finally {
    resume();
  }
  await eventually('the system is ready again', isReady);
});
