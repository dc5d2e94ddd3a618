import { gzipSync } from 'node:zlib';
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

const path = '/api/memories/batch';
const json = { 'content-type': 'application/json' };
const batch = JSON.stringify({ agent_id: 'a', items: [{ content: 'Bob sings.' }] });

function post(body: string | Buffer | undefined, headers: Record<string, string> = json) {
  return system.http.send(path, { method: 'POST', headers, body: body ?? null });
}

const notJson: [string, string | Buffer][] = [
  ['a word', 'hello'],
  ['half a document', batch.slice(0, -3)],
  ['a trailing comma', '{"agent_id":"a","items":[],}'],
  ['two documents', `${batch}${batch}`],
  ['bytes that are no UTF-8', Buffer.from('{"agent_id":"\xff","items":[]}', 'latin1')],
  ['UTF-16', Buffer.from(batch, 'utf16le')],
  ['NaN', '{"agent_id":"a","items":[NaN]}'],
];

test.each(notJson)('%s is no JSON: 422', async (_name, body) => {
  const head = await log.head();
  const answer = await post(body);
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ detail: [{ loc: ['body'], msg: expect.any(String), type: 'json_invalid' }] });
  expect(await log.head()).toBe(head);
});

test('no body at all is 422', async () => {
  const answer = await post(undefined);
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc: ['body'], msg: expect.any(String), type: 'missing' }]);
});

test.each([
  ['text/plain', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['another charset', 'application/json; charset=iso-8859-1'],
  ['nonsense', 'json'],
])('%s for a content type is 415', async (_name, type) => {
  const head = await log.head();
  expect(await post(batch, { 'content-type': type })).toMatchObject({
    status: 415,
    body: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  });
  expect(await log.head()).toBe(head);
});

test('an encoding that no one knows is 415; gzip is read', async () => {
  expect((await post(batch, { ...json, 'content-encoding': 'rot13' })).status).toBe(415);
  expect((await post(gzipSync(batch), { ...json, 'content-encoding': 'gzip' })).status).toBe(200);
  expect((await post(batch, { ...json, 'content-encoding': 'gzip' })).status).toBe(400);
});

test.each([
  ['6 MiB', (text: string) => post(text)],
  ['6 MiB without a length', (text: string) => postStream(text)],
  ['6 MiB packed small', (text: string) => post(gzipSync(text), { ...json, 'content-encoding': 'gzip' })],
])('a body of %s is 413, and nothing is recorded', async (_name, send) => {
  const head = await log.head();
  const text = JSON.stringify({ agent_id: 'a', items: [{ content: 'words '.repeat(1_048_576) }] });
  for (let round = 0; round < 3; round++) {
    const answer = await send(text);
    expect(answer).toMatchObject({ status: 413, body: { status: 413, code: 'PAYLOAD_TOO_LARGE' } });
  }
  expect(await log.head()).toBe(head);
});

function postStream(text: string) {
  const body = new Blob([text]).stream();
  return system.http.send(path, { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit);
}

test('a body of just under 5 MiB is taken in whole, and read back as it was', async () => {
  const content = `${'Bob sings. '.repeat(470_000)}The end.`;
  const body = { agent_id: 'large', document_id: 'book', items: [{ content }] };
  expect((await system.http.post('/api/memories/batch', body)).status).toBe(200);
  const { body: document } = await system.http.get('/api/documents/book?agent_id=large');
  expect(document.original_text === content).toBe(true);
});

test.each([
  ['deep nesting', `{"agent_id":"a","items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['very many keys', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join()}}`],
  ['the keys of prototypes', '{"__proto__":{"agent_id":"a","items":[]},"constructor":{"prototype":{}}}'],
  ['huge numbers', '{"agent_id":1e400,"items":9007199254740993}'],
])('%s is refused in time', async (_name, body) => {
  const answer = await post(body);
  expect(answer.status).toBe(422);
  expect((await system.http.get('/healthz')).status).toBe(200);
});
