import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { type EventLog, openEventLog } from '../system/event-log.ts';
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

const batch = { agent_id: 'a', items: [{ content: 'Bob sings.' }] };

test.each([
  ['GET', '/api/memories/batch', ['POST']],
  ['PATCH', '/api/search', ['POST']],
  ['POST', '/api/list', ['GET']],
  ['PUT', '/api/documents/d', ['GET', 'DELETE']],
  ['POST', '/api/operations/x', ['GET', 'DELETE']],
  ['DELETE', '/api/agents/a/profile', ['GET', 'PUT']],
  ['POST', '/healthz', ['GET']],
])('%s %s is 405 and says what is allowed', async (method, path, allowed) => {
  const answer = await system.http.send(path, { method });
  expect(answer).toMatchObject({ status: 405, body: { status: 405 } });
  const allow = answer.headers.get('allow')?.split(/,\s*/);
  expect(allow).toEqual(expect.arrayContaining(allowed));
  expect(allow).not.toContain(method);
});

test.each(['/api', '/api/nothing', '/api/memories', '/API/list', '/api/list/', '/.git/config', '/api/v3/api-keys'])(
  '%s is 404 or an endpoint, never a 500',
  async (path) => {
    const answer = await system.http.get(path);
    expect([200, 401, 404]).toContain(answer.status);
    if (answer.status === 404) expect(answer.body).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  },
);

test('a problem has all of its fields', async () => {
  const answer = await system.http.get('/api/nothing', { 'x-request-id': 'quoted.in-the_problem' });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toEqual({
    type: expect.any(String),
    title: 'Not Found',
    status: 404,
    detail: answer.body.message,
    code: 'NOT_FOUND',
    message: expect.any(String),
    request_id: 'quoted.in-the_problem',
  });
});

test('a malformed percent-encoding is 400', async () => {
  expect(await system.http.get('/api/stats/%ff')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test.each([
  ['a bearer token', { authorization: 'Bearer sk-0123456789abcdef0123456789abcdef' }],
  ['basic credentials', { authorization: 'Basic YTpi' }],
  ['a key', { 'x-api-key': 'sk-0123456789abcdef0123456789abcdef' }],
])('%s that no one issued is 401, never anonymous', async (_name, headers) => {
  const head = await log.head();
  const answer = await system.http.post('/api/memories/batch', batch, headers);
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect(answer.headers.get('www-authenticate')).toBeTruthy();
  expect(await log.head()).toBe(head);
});

test.each(['req-1', 'A_b.c-9', 'x'.repeat(128)])(
  'the request id %.10s is sent back and stands in the events',
  async (id) => {
    const head = await log.head();
    const answer = await system.http.post('/api/memories/batch', batch, { 'x-request-id': id });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toBe(id);
    const events = await log.after(head);
    expect(events.map((event) => event.header('ce-type'))).toEqual(
      expect.arrayContaining(['BatchSubmitted', 'FactsExtracted']),
    );
    for (const event of events) expect(event.header('correlation-id')).toBe(id);
  },
);

test.each(['', 'a b', 'x'.repeat(129), 'semi;colon', 'ümlaut'])('the request id %.10j is replaced', async (id) => {
  const { headers } = await system.http.get('/api/agents', { 'x-request-id': encodeURI(id) });
  const sent = encodeURI(id);
  expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
  expect(headers.get('x-request-id')).not.toBe(sent);
});

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  [
    'a broken chunk',
    'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
  ['two lengths', 'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
])('%s is answered with 400 and closed', async (_name, bytes) => {
  const { hostname, port } = new URL(system.http.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const reply = await text(socket);
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
});
