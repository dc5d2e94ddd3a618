import { createHash } from 'node:crypto';
import type { DocumentList, DocumentReply, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  return system.release;
});

function store(agent_id: string, document_id: string, ...contents: string[]) {
  const items = contents.map((content) => ({ content }));
  return http.post('/api/memories/batch', { agent_id, document_id, items });
}

function read(agentId: string, documentId: string) {
  const path = `/api/documents/${encodeURIComponent(documentId)}?agent_id=${encodeURIComponent(agentId)}`;
  return http.get<DocumentReply>(path);
}

const list = (query: string) => http.get<DocumentList>(`/api/documents?${query}`);

test('a document has its text, the hash of it, and the number of its units', async () => {
  await store('reader', 'diary', 'Alice moved to Lisbon.', 'Bob stayed in Rome.');
  const { status, body } = await read('reader', 'diary');
  const text = 'Alice moved to Lisbon.\nBob stayed in Rome.';
  expect(status).toBe(200);
  expect(body).toEqual({
    id: 'diary',
    agent_id: 'reader',
    original_text: text,
    content_hash: createHash('sha256').update(text).digest('hex'),
    created_at: expect.stringMatching(timestamp),
    updated_at: expect.stringMatching(timestamp),
    memory_unit_count: 2,
  });
  const { original_text, ...rest } = body;
  const listed = await list('agent_id=reader');
  expect(listed.body).toEqual({
    items: [{ ...rest, text_length: original_text.length }],
    total: 1,
    limit: 100,
    offset: 0,
  });
});

test('storing again under the id replaces the document and its units', async () => {
  await store('writer', 'diary', 'Alice moved to Lisbon.');
  const before = await read('writer', 'diary');
  await store('writer', 'diary', 'Bob stayed in Rome.');
  const after = await read('writer', 'diary');
  expect(after.body).toMatchObject({ original_text: 'Bob stayed in Rome.', memory_unit_count: 1 });
  expect(after.body.created_at).toBe(before.body.created_at);
  const units = await http.get<UnitList>('/api/list?agent_id=writer');
  expect(units.body.items.map(({ text }) => text)).toEqual(['Bob stayed in Rome.']);
  const found = await http.post('/api/search', { agent_id: 'writer', query: 'Alice Lisbon' });
  expect(found.body.results.map(({ text }: { text: string }) => text)).not.toContain('Alice moved to Lisbon.');
});

test('a deleted document is gone with its units, and stored again it is new', async () => {
  await store('eraser', 'diary', 'Alice moved to Lisbon.', 'Bob stayed in Rome.');
  await store('eraser', 'other', 'Dana paints doors.');
  const path = '/api/documents/diary?agent_id=eraser';
  const deleted = await http.delete(path);
  expect(deleted).toMatchObject({
    status: 200,
    body: { success: true, document_id: 'diary', agent_id: 'eraser', memory_units_deleted: 2 },
  });
  expect(deleted.headers.get('x-event-position')).toMatch(/^MEMORY:\d+$/);
  expect(await http.delete(path)).toMatchObject({ status: 404, body: { message: 'Document not found' } });
  expect(await read('eraser', 'diary')).toMatchObject({ status: 404, body: { message: 'Document not found' } });
  expect((await list('agent_id=eraser')).body.items.map(({ id }) => id)).toEqual(['other']);
  await store('eraser', 'diary', 'Carol came back.');
  expect((await read('eraser', 'diary')).body.memory_unit_count).toBe(1);
});

test('documents are listed newest first, by pages, and found by a part of the id', async () => {
  for (const id of ['Alpha-1', 'alpha-2', 'beta.1']) await store('paged', id, `${id} holds lemons.`);
  const ids = async (query: string) => (await list(`agent_id=paged${query}`)).body.items.map(({ id }) => id);
  expect(await ids('')).toEqual(['beta.1', 'alpha-2', 'Alpha-1']);
  expect(await ids('&limit=1&offset=1')).toEqual(['alpha-2']);
  expect((await list('agent_id=paged&limit=1')).body.total).toBe(3);
  expect(await ids('&q=ALPHA')).toEqual(['alpha-2', 'Alpha-1']);
  expect(await ids('&q=.')).toEqual(['beta.1']);
  expect(await ids('&q=nothing')).toEqual([]);
});

const oddIds = [
  'a/b',
  'a b',
  'ä ö 🦊',
  '%2F',
  '?x=1&y',
  'a.b.*.>',
  '$ne',
  '__proto__',
  'nul\u0000',
  '全角　空白',
  '.*',
];

test.each(oddIds.entries().toArray())('an id may hold any characters (%i)', async (index, id) => {
  const agent = `odd ${index} ${id}`;
  expect((await store(agent, id, 'Alice moved to Lisbon.')).status).toBe(200);
  expect((await read(agent, id)).body).toMatchObject({ id, agent_id: agent, memory_unit_count: 1 });
  const query = `agent_id=${encodeURIComponent(agent)}&q=${encodeURIComponent(id)}`;
  expect((await list(query)).body.items.map((item) => item.id)).toEqual([id]);
});

test('the same id is another document for another agent', async () => {
  await store('left', 'shared', 'Alice moved to Lisbon.');
  await store('right', 'shared', 'Bob stayed in Rome.');
  expect((await read('left', 'shared')).body.original_text).toBe('Alice moved to Lisbon.');
  await http.delete('/api/documents/shared?agent_id=right');
  expect((await read('left', 'shared')).body.memory_unit_count).toBe(1);
});
