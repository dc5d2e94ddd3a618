import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import type { EventLog } from '../system/stores/event-log.ts';

// One or two of each kind, through all services: the gateway's own tests have the rest.
let system: SharedSystem;
let log: EventLog;
beforeAll(async () => {
  system = await shareSystem();
  log = await system.openLog();
  return system.release;
});

const batches = '/api/memories/batch';
const batch = JSON.stringify({ agent_id: 'refused', items: [{ content: 'Bob sings.' }] });
const json = { 'content-type': 'application/json' };
const post = (body: string, headers: object = {}) => ({ method: 'POST', body, headers: { ...json, ...headers } });
const large = () => new Blob([batch.padEnd(6 * 2 ** 20)]).stream();

test.each<[status: number, what: string, path: string, request?: RequestInit]>([
  [422, 'a batch without an agent', batches, post('{"items":[]}')],
  [422, 'a body that is cut off', `${batches}_async`, post(batch.slice(0, -3))],
  [422, 'traits that lack some', '/api/agents/refused', { ...post('{"personality":{"openness":0.5}}'), method: 'PUT' }],
  [422, 'a name that is too long', `/api/operations/${'x'.repeat(10_000)}`],
  [400, 'a body that is no gzip', batches, post(batch, { 'content-encoding': 'gzip' })],
  [400, 'an operation id that is none', '/api/operations/%2A', { method: 'DELETE' }],
  [400, 'a position beyond the log', '/api/list', { headers: { 'x-min-event-position': 'MEMORY:1000000' } }],
  [401, 'a key that no one issued', batches, post(batch, { 'x-api-key': `sk-${'0'.repeat(32)}` })],
  [404, 'the status of no operation', `/api/operations/${randomUUID()}/status`],
  [404, 'an erasure of no agent', '/api/agents/nobody-at-all', { method: 'DELETE' }],
  [404, 'an end of no operation', `/api/operations/${randomUUID()}`, { method: 'DELETE' }],
  [413, '6 MiB without a length', batches, { ...post(''), body: large(), duplex: 'half' } as RequestInit],
  [415, 'a body of another type', batches, post(batch, { 'content-type': 'text/plain' })],
])('%i for %s, and nothing is recorded', async (status, _what, path, request = {}) => {
  const head = await log.head();
  expect((await system.http.send(path, request)).status).toBe(status);
  expect(await log.head()).toBe(head);
});

test.each(['%E9', '%zz', '%'])('a query string with %j is 400, also in what was bundled', async (agent) => {
  const { status, body } = await system.http.get(`/api/documents/notes?agent_id=${agent}`);
  expect([status, body.message]).toEqual([400, 'The query string has a malformed percent-encoding']);
});

test('a body of just under 5 MiB is taken in whole, and read back as it was', async () => {
  const content = `Bob sings.${' '.repeat(5_200_000)}The end.`;
  const body = { agent_id: 'large', document_id: 'book', items: [{ content }] };
  expect((await system.http.post(batches, body)).status).toBe(200);
  const { body: document } = await system.http.get('/api/documents/book?agent_id=large');
  expect(document.original_text === content).toBe(true);
});
