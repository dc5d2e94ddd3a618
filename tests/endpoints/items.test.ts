import type { BatchPutReply, SearchReply, UnitList } from '@mneme/contracts';
// What it corrects, it also corrects in this process, which reads the answers.
import '@mneme/service-kit';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  return system.release;
});

const store = (agent_id: string, items: object[], more: object = {}) =>
  http.post<BatchPutReply>('/api/memories/batch', { agent_id, items, ...more });
const list = async (agentId: string) => (await http.get<UnitList>(`/api/list?agent_id=${agentId}`)).body.items;

test('the role decides whether a fact is of the agent', async () => {
  const content = 'I booked the table at Chez Paul.';
  for (const [role, type] of [
    ['assistant', 'agent'],
    ['user', 'world'],
    ['tool', 'world'],
    ['system', 'world'],
  ]) {
    const { status, body } = await store(`role-${role}`, [{ content, role }]);
    expect([status, body.items[0]?.units[0]?.type]).toEqual([200, type]);
  }
  const { body } = await store('role-prefix', [{ content: 'Assistant: I booked the table.', role: 'user' }]);
  expect(body.items[0]?.units[0]?.type).toBe('world');
});

test('metadata is returned with every unit of its item, and only there', async () => {
  const metadata = { session: 's1', tags: ['trip', 'food'], turn: 3, 'a.b$c': null, done: false };
  const items = [
    { content: 'Alice moved to Lisbon. Bob sold the old piano.', metadata },
    { content: 'Dana paints doors.' },
  ];
  await store('meta', items);
  const listed = await list('meta');
  expect(listed).toHaveLength(3);
  for (const { text, metadata: shown } of listed) expect(shown).toEqual(text.includes('Dana') ? undefined : metadata);
  const { body } = await http.post<SearchReply>('/api/search', { agent_id: 'meta', query: 'Lisbon', min_score: 0 });
  expect(body.results.find(({ text }) => text.includes('Lisbon'))?.metadata).toEqual(metadata);
  const thought = await http.post('/api/think', { agent_id: 'meta', query: 'Where does Alice live?' });
  expect(thought.body.based_on[0].metadata).toEqual(metadata);
});

test('names in metadata stay as they are, whatever others have sent before', async () => {
  const names = ['\\', '"', '\n', 'caf\\', 'caf"', 'caf\u0001'];
  for (const [index, name] of names.entries()) {
    await store(`names-${index}`, [{ content: `Crate ${index} holds lemons.`, metadata: { shelf: 'a', [name]: 1 } }]);
  }
  for (const [index, name] of names.entries()) {
    const [unit] = await list(`names-${index}`);
    expect(Object.keys(unit?.metadata ?? {})).toEqual(['shelf', name]);
  }
});

test('the same sentence with other metadata is a memory unit of its own', async () => {
  for (const session of ['one', 'two', 'two']) {
    await store('twins', [{ content: 'Crate C17 holds lemons.', event_date: '2024-05-01', metadata: { session } }]);
  }
  expect((await list('twins')).map(({ metadata }) => metadata?.session).sort()).toEqual(['one', 'two']);
});

test('a synchronous batch says which units came of each item, an asynchronous one where to ask', async () => {
  const items = [
    { content: 'Alice moved to Lisbon. Bob sold the old piano.' },
    { content: '\u200b' },
    { content: 'Dana paints doors.' },
  ];
  const { body } = await store('reply', items);
  expect(body.items.map(({ units }) => units.map(({ text }) => text))).toEqual([
    ['Alice moved to Lisbon.', 'Bob sold the old piano.'],
    [],
    ['Dana paints doors.'],
  ]);
  const ids = body.items.flatMap(({ units }) => units.map(({ id }) => id));
  expect(ids.sort()).toEqual((await list('reply')).map(({ id }) => id).sort());
  const status = await http.get(`/api/operations/${body.operation_id}/status`);
  expect(status.body).toMatchObject({ id: body.operation_id, status: 'completed', units_created: 3 });
  const again = await store('reply', [{ content: 'Dana paints doors.' }]);
  expect(again.body.items).toEqual([{ units: [] }]);
});

const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, index]));

test.each([
  [{ role: 'bot' }, ['role'], "Input should be 'user', 'assistant', 'system' or 'tool'"],
  [{ metadata: 'x' }, ['metadata'], 'Input should be a valid dictionary'],
  [{ metadata: ['x'] }, ['metadata'], 'Input should be a valid dictionary'],
  [{ metadata: { a: { b: 1 } } }, ['metadata', 'a'], 'a list of strings'],
  [{ metadata: { a: [1] } }, ['metadata', 'a'], 'a list of strings'],
  [{ metadata: { '': 1 } }, ['metadata', ''], '1 to 64 characters'],
  [{ metadata: { ['k'.repeat(65)]: 1 } }, ['metadata', 'k'.repeat(65)], '1 to 64 characters'],
  [{ metadata: { a: '\ud800' } }, ['metadata'], 'valid unicode string'],
  [{ metadata: { a: ['\udfff'] } }, ['metadata'], 'valid unicode string'],
  [{ metadata: many }, ['metadata'], 'at most 16 keys, not 17'],
  [{ metadata: { a: 'é'.repeat(1_021) } }, ['metadata'], 'at most 2048 bytes as JSON, not 2050'],
])('the item %j is 422, and the message says why', async (bad, loc, msg) => {
  for (const kind of ['batch', 'batch_async']) {
    const body = { agent_id: 'bad', items: [{ content: 'Bob sings.' }, { content: 'Bob sings.', ...bad }] };
    const answer = await http.post(`/api/memories/${kind}`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([
      { loc: ['body', 'items', 1, ...loc], msg: expect.stringContaining(msg) },
    ]);
  }
  expect(await list('bad')).toEqual([]);
});

test('metadata of 2048 bytes and 64 characters fits', async () => {
  const key = '鍵'.repeat(64);
  const metadata = { [key]: 'x'.repeat(2_048 - Buffer.byteLength(JSON.stringify({ [key]: '' }))) };
  expect((await store('fits', [{ content: 'Bob sings.', metadata }])).status).toBe(200);
  expect((await list('fits'))[0]?.metadata).toEqual(metadata);
});

test('an item that nothing is extracted from is only in the text of its document', async () => {
  const record = '\u001e{"city":"Lisbon","tags":["a"]}';
  const items = [{ content: 'Alice moved to Lisbon.' }, { content: record, extract: false }];
  const stored = await store('records', items, { document_id: 'd' });
  expect(stored.body.items.map(({ units }) => units.length)).toEqual([1, 0]);
  const { body } = await http.get('/api/documents/d?agent_id=records');
  expect(body.original_text).toBe(`Alice moved to Lisbon.\n${record}`);
  expect((await list('records')).map(({ text }) => text)).toEqual(['Alice moved to Lisbon.']);
});

test('a document of items that nothing is extracted from is found by its id, and replaced', async () => {
  for (const content of ['{"a":1}', '{"a":2}']) {
    await store('only-records', [{ content, extract: false }], { document_id: 'd' });
    const { status, body } = await http.get('/api/documents/d?agent_id=only-records');
    expect([status, body.original_text, body.memory_unit_count]).toEqual([200, content, 0]);
  }
  const { body } = await http.post('/api/memories/batch', { agent_id: 'a', items: [{ content: 'x', extract: 'no' }] });
  expect(body.detail[0]).toMatchObject({ loc: ['body', 'items', 0, 'extract'] });
});
