import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  return system.stop;
});

/** The longest that the event loop has kept work waiting since this was last asked, in seconds. */
async function longestStall(): Promise<number> {
  const { body } = await system.http.get<string>('/metrics');
  return Number(/^mneme_event_loop_delay_seconds\{quantile="max"\} (\S+)$/m.exec(body)?.[1]);
}

const json = { 'content-type': 'application/json' };
const search = (body: string) => system.http.send('/api/search', { method: 'POST', headers: json, body });

test.each([
  ['a list of 2.5 million faulty items', `{"query":"x","fact_type":[${'1,'.repeat(2_500_000)}1]}`],
  ['2.5 million levels', `{"query":"x","deep":${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}}`],
  ['300,000 members', `{"query":"x",${Array.from({ length: 300_000 }, (_, index) => `"${index}":1`).join()}}`],
])('%s are a short 422 at little cost', async (_name, body) => {
  await longestStall();
  const answer = await search(body);
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc: ['body'], msg: expect.any(String), type: expect.any(String) }]);
  // Before there was a bound, these took from two seconds to a minute.
  expect(await longestStall()).toBeLessThan(1);
});

test('many faults are 422 with 100 of them', async () => {
  const items = Array.from({ length: 1_000 }, () => ({ content: 1, context: 1, event_date: 1 }));
  const answer = await system.http.post('/api/memories/batch', { agent_id: 'a', items });
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toHaveLength(100);
});

test('a long query string is 400, and no one else waits for it', async () => {
  await longestStall();
  const paths = Array.from({ length: 20 }, () => `/api/list?${'a&'.repeat(15_000)}`);
  const answers = await Promise.all(paths.map((path) => system.http.get(path)));
  for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(await longestStall()).toBeLessThan(1);
});

test('headers of more than 32 KiB are 431', async () => {
  expect((await system.http.get('/healthz', { x: 'x'.repeat(30_000) })).status).toBe(200);
  expect((await system.http.get('/healthz', { x: 'x'.repeat(64_000) })).status).toBe(431);
});

test('a page of another site that leads its name here is 421, two Host headers are 400', async () => {
  const { port } = new URL(system.http.url);
  const send = async (...hosts: string[]) => {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = ['GET /api/agents HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', ''];
    socket.write(lines.join('\r\n'));
    return text(socket);
  };
  expect(await send(`localhost:${port}`)).toMatch(/^HTTP\/1\.1 200 /);
  const rebound = await send(`attacker.example:${port}`);
  expect(rebound).toMatch(/^HTTP\/1\.1 421 /);
  expect(rebound).toContain('ALLOWED_HOSTS');
  expect(await send('localhost', 'attacker.example')).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['/api/search', 8, (query: string) => ({ query })],
  ['/api/think', 8, (query: string) => ({ query })],
  ['/api/memories/batch', 16, (context: string) => ({ agent_id: 'a', items: [{ content: 'x', context }] })],
  ['/api/agents/a/background', 64, (content: string) => ({ content })],
])('%s takes %i KiB of text and not a byte more', async (path, kibibytes, bodyOf) => {
  const answer = await system.http.post(path, bodyOf('x'.repeat(kibibytes * 1_024 + 1)));
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'string_too_long' }] } });
});
