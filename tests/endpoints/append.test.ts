import { createHash } from 'node:crypto';
import type { BatchPutReply, DocumentList, DocumentReply, SearchReply, UnitList } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

let system: SharedSystem;
let person: Person;
let http: HttpClient;
beforeAll(async () => {
  system = await shareSystem();
  person = await newPerson(system.http);
  http = person.http;
  return system.release;
});

const batch = (agent_id: string, contents: string[], more: object = {}) => {
  return { agent_id, document_id: 'chat', items: contents.map((content) => ({ content })), ...more };
};
const append = (agentId: string, ...contents: string[]) =>
  http.post<BatchPutReply>('/api/memories/batch', batch(agentId, contents, { mode: 'append' }));
const replace = (agentId: string, ...contents: string[]) =>
  http.post<BatchPutReply>('/api/memories/batch', batch(agentId, contents));
const read = (agentId: string) => http.get<DocumentReply>(`/api/documents/chat?agent_id=${agentId}`);
const listed = async (agentId: string) => {
  const { body } = await http.get<DocumentList>(`/api/documents?agent_id=${agentId}`);
  return body.items[0];
};
const unitIds = async (agentId: string) => {
  const { body } = await http.get<UnitList>(`/api/list?agent_id=${agentId}&limit=1000`);
  return body.items.map(({ id }) => id);
};

test('a document grows turn by turn, and what it has stays', async () => {
  await append('grow', 'Alice moved to Lisbon.');
  const first = await unitIds('grow');
  await append('grow', 'Bob stayed in Rome.', 'Carol sings.');
  await append('grow', 'Dana paints doors.');
  const text = 'Alice moved to Lisbon.\nBob stayed in Rome.\nCarol sings.\nDana paints doors.';
  const { status, body } = await read('grow');
  expect([status, body.original_text, body.memory_unit_count]).toEqual([200, text, 4]);
  expect(body.content_hash).toBe(createHash('sha256').update(text).digest('hex'));
  expect(body.updated_at > body.created_at).toBe(true);
  expect(await listed('grow')).toMatchObject({ text_length: text.length, memory_unit_count: 4, content_hash: null });
  expect(await unitIds('grow')).toEqual(expect.arrayContaining(first));
});

test('what is appended to a version stays with it, and goes with the next version', async () => {
  const versions = [await replace('mixed', 'Alice moved to Lisbon.'), await append('mixed', 'Bob stayed in Rome.')];
  expect((await read('mixed')).body.original_text).toBe('Alice moved to Lisbon.\nBob stayed in Rome.');
  await replace('mixed', 'Carol sings.');
  expect((await read('mixed')).body).toMatchObject({ original_text: 'Carol sings.', memory_unit_count: 1 });
  expect(await listed('mixed')).toMatchObject({ text_length: 12, content_hash: expect.any(String) });
  const old = versions.flatMap(({ body }) => body.items.flatMap(({ units }) => units.map(({ id }) => id)));
  expect(await unitIds('mixed')).not.toEqual(expect.arrayContaining(old));
  await append('mixed', 'Dana paints doors.');
  expect((await read('mixed')).body.original_text).toBe('Carol sings.\nDana paints doors.');
  await http.delete('/api/documents/chat?agent_id=mixed');
  expect((await read('mixed')).status).toBe(404);
  await append('mixed', 'Eve is back.');
  expect((await read('mixed')).body).toMatchObject({ original_text: 'Eve is back.', memory_unit_count: 1 });
});

test('a long document of turns is replaced and deleted as a whole', async () => {
  const turns = Array.from({ length: 120 }, (_, index) => `Crate ${index} holds lemons.`);
  for (const turn of turns) await http.post('/api/memories/batch_async', batch('long', [turn], { mode: 'append' }));
  await eventually('all turns are stored', async () => (await read('long')).body.memory_unit_count === turns.length);
  await replace('long', 'Only this.');
  expect((await read('long')).body).toMatchObject({ original_text: 'Only this.', memory_unit_count: 1 });
  expect((await unitIds('long')).length).toBe(1);
});

const turnsOfEach = scaled({ full: 500, short: 60 });

test('two authors who append at once lose nothing, and the turns of each are in order', async () => {
  const other = await system.addGateway();
  const write = async (client: HttpClient, author: string) => {
    for (let turn = 0; turn < turnsOfEach; turn += 1) {
      const body = batch('pair', [`${author} puts item ${author}${turn} on the shelf.`], { mode: 'append' });
      expect((await client.post('/api/memories/batch_async', body)).status).toBe(200);
    }
  };
  await Promise.all([write(http, 'Alice'), write(other.http.as(tokenOf(person.userId)), 'Bob')]);
  const stored = async () => {
    const { body } = await read('pair');
    return body.original_text?.split('\n').length === 2 * turnsOfEach && body;
  };
  const document = await eventually('all turns are stored', stored, 120_000);
  const lines = document.original_text.split('\n');
  for (const author of ['Alice', 'Bob']) {
    const own = lines.filter((line) => line.startsWith(author));
    expect(own).toEqual(
      Array.from({ length: turnsOfEach }, (_, turn) => `${author} puts item ${author}${turn} on the shelf.`),
    );
  }
  expect(document.memory_unit_count).toBe(2 * turnsOfEach);
});

test('the turns before and after one that was found are its neighbours', async () => {
  const turns = [
    'We talked about the weather for a while.',
    'Which instrument did grandfather leave in the attic?',
    'The violin, wrapped in an old blanket.',
    'Thanks, that helps a lot.',
    'Now let us plan the garden.',
  ];
  for (const turn of turns) await append('near', turn);
  await http.post('/api/memories/batch', {
    agent_id: 'whole',
    document_id: 'chat',
    items: turns.map((content) => ({ content })),
  });
  const found = async (agent_id: string) => {
    const asked = { agent_id, query: 'instrument grandfather attic', trace: true, min_score: 0 };
    const { body } = await http.post<SearchReply>('/api/search', asked);
    return body.results.map(({ text, score }) => [text, Math.round(score * 1e6)]);
  };
  // Stored turn by turn it is found as if it had been stored at once.
  expect(await found('near')).toEqual(await found('whole'));
  expect((await found('near')).map(([text]) => text)).toContain('The violin, wrapped in an old blanket.');
});

test('an append without a document is 422 that says what to do', async () => {
  for (const more of [{ document_id: undefined }, { document_id: null }]) {
    const body = { ...batch('refused', ['Bob sings.'], { mode: 'append' }), ...more };
    const answer = await http.post('/api/memories/batch', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'mode'], msg: expect.stringContaining('document_id') }]);
  }
  const unknown = await http.post('/api/memories/batch', batch('refused', ['Bob sings.'], { mode: 'merge' }));
  expect(unknown.body.detail).toMatchObject([{ loc: ['body', 'mode'], type: 'enum' }]);
});
