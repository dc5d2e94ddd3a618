import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '../system/http-client.ts';
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

const agent_id = 'refused';
const items = [{ content: 'Bob sings.' }];
const batch = { agent_id, items };
const search = '/api/search';
const json = { 'content-type': 'application/json' };

/** @returns the answer, when nothing was recorded for it */
async function recordingNothing<Body>(request: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  const head = await log.head();
  const answer = await request();
  expect(await log.head()).toBe(head);
  return answer;
}

test.each([
  [{ items }, ['body.agent_id']],
  [{ agent_id, items: [{ content: ' \n\t　' }] }, ['body.items.0.content']],
  [{ agent_id, items: [{ ...items[0], event_date: '2023-02-30' }] }, ['body.items.0.event_date']],
  [
    { agent_id: 7, items: [{ content: ' ' }, {}], document_id: [] },
    ['body.agent_id', 'body.items.0.content', 'body.items.1.content', 'body.document_id'],
  ],
])('the batch %j is 422 that names all faults, and nothing is recorded', async (body, places) => {
  for (const kind of ['batch', 'batch_async']) {
    const answer = await recordingNothing(() => system.http.post(`/api/memories/${kind}`, body));
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual(places);
  }
});

test.each(['%E9', '%zz', '%'])('a query string with %j is 400, also in what was bundled', async (agent) => {
  const answer = await recordingNothing(() =>
    system.http.send(`/api/documents/notes?agent_id=${agent}`, { method: 'DELETE' }),
  );
  expect(answer.status).toBe(400);
  expect(answer.body.message).toBe('The query string has a malformed percent-encoding');
});

test.each([
  ['GET', '/api/list?document_id=', ['query', 'document_id'], 'string_too_short'],
  ['GET', '/api/documents', ['query', 'agent_id'], 'missing'],
  ['GET', `/api/operations/${'x'.repeat(10_000)}`, ['path', 'agent_id'], 'string_too_long'],
  ['GET', '/api/agents?counts=1', ['query', 'counts'], 'bool_parsing'],
  ['GET', `/api/agents?q=${'x'.repeat(600)}`, ['query', 'q'], 'string_too_long'],
  ['GET', '/api/opinions/7/history', ['path', 'unit_id'], 'uuid_parsing'],
  ['POST', search, ['body'], 'missing'],
  ['DELETE', '/api/memory/7', ['path', 'unit_id'], 'uuid_parsing'],
])('%s %.40s is 422 that says what and where', async (method, path, loc, type) => {
  const answer = await recordingNothing(() => system.http.send(path, { method }));
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ detail: [{ loc, msg: expect.any(String), type }] });
});

test('a personality out of bounds is 422, and nothing is recorded', async () => {
  const personality = { openness: 1.01, conscientiousness: 0, extraversion: 0, agreeableness: 0, neuroticism: 1 };
  for (const path of [`/api/agents/${agent_id}/profile`, `/api/agents/${agent_id}`]) {
    const answer = await recordingNothing(() => {
      return system.http.put(path, { personality: { ...personality, bias_strength: 1 } });
    });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'personality', 'openness']]);
  }
});

test('the id of an operation that is none is 400, one that no one knows 404', async () => {
  const id = randomUUID();
  const none = { status: 400, body: { code: 'BAD_REQUEST', message: 'Invalid operation_id format: *' } };
  const unknown = { status: 404, body: { code: 'NOT_FOUND', message: `Operation ${id} not found` } };
  for (const [given, expected] of [
    ['%2A', none],
    [id, unknown],
  ] as const) {
    expect(await system.http.delete(`/api/operations/${given}`)).toMatchObject(expected);
    expect(await system.http.get(`/api/operations/${given}/status`)).toMatchObject(expected);
  }
});

test('a body that cannot be read is refused, and gzip is read', async () => {
  const text = JSON.stringify(batch);
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) => {
    return system.http.send('/api/memories/batch', { method: 'POST', headers, body });
  };
  const gzip = { ...json, 'content-encoding': 'gzip' };
  const refused: [status: number, body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>][] = [
    [422, text.slice(0, -3)],
    [415, text, { 'content-type': 'text/plain' }],
    [415, text, { ...json, 'content-encoding': 'rot13' }],
    [400, text, gzip],
  ];
  for (const [status, body, headers] of refused) {
    expect((await recordingNothing(() => post(body, headers))).status).toBe(status);
  }
  expect((await post(gzipSync(text), gzip)).status).toBe(200);
});

test('a body of 6 MiB without a length is 413, and nothing is recorded', async () => {
  const text = JSON.stringify({ agent_id, items: [{ content: 'words '.repeat(1_048_576) }] });
  for (let round = 0; round < 3; round++) {
    const body = new Blob([text]).stream();
    const request = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit;
    const answer = await recordingNothing(() => system.http.send('/api/memories/batch', request));
    expect(answer).toMatchObject({ status: 413, body: { status: 413, code: 'PAYLOAD_TOO_LARGE' } });
  }
});

test('a body of just under 5 MiB is taken in whole, and read back as it was', async () => {
  const content = `Bob sings.${' '.repeat(5_200_000)}The end.`;
  const body = { agent_id: 'large', document_id: 'book', items: [{ content }] };
  expect((await system.http.post('/api/memories/batch', body)).status).toBe(200);
  const { body: document } = await system.http.get('/api/documents/book?agent_id=large');
  expect(document.original_text === content).toBe(true);
});

test.each([
  ['a bearer token', { authorization: 'Bearer sk-0123456789abcdef0123456789abcdef' }],
  ['a key', { 'x-api-key': 'sk-0123456789abcdef0123456789abcdef' }],
])('%s that no one issued is 401, never anonymous', async (_name, headers) => {
  const answer = await recordingNothing(() => system.http.post('/api/memories/batch', batch, headers));
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect(answer.headers.get('www-authenticate')).toBeTruthy();
});
