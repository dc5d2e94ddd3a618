import { randomUUID } from 'node:crypto';
import type { MemoryUnit, SearchReply, Stats, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { placesOf } from '../system/stores/store-search.ts';

let system: SharedSystem;
let http: HttpClient;
let userId: number;
beforeAll(async () => {
  system = await shareSystem();
  ({ http, userId } = await newPerson(system.http));
  return system.release;
});

const list = async (agentId: string, q = '') =>
  (await http.get<UnitList>(`/api/list?agent_id=${agentId}&q=${encodeURIComponent(q)}`)).body.items;
const unitOf = async (id: string) => (await http.get<MemoryUnit>(`/api/memory/${id}`)).body;
const correct = (id: string, body: object, headers = {}) => http.patch(`/api/memory/${id}`, body, headers);
const search = async (agent_id: string, query: string) =>
  (await http.post<SearchReply>('/api/search', { agent_id, query, min_score: 0 })).body.results;
const edgesOf = async (agentId: string) => (await http.get(`/api/graph?agent_id=${agentId}`)).body.edges;

/** Stores one document of several items. @returns the ids of the units, by a word of each */
async function store(agentId: string, contents: readonly string[], documentId: string | null = 'diary') {
  const items = contents.map((content) => ({ content, event_date: '2024-05-01T10:00:00Z' }));
  const { status } = await http.post('/api/memories/batch', { agent_id: agentId, document_id: documentId, items });
  expect(status).toBe(200);
  return async (word: string) => (await list(agentId, word))[0]?.id ?? '';
}

test('a corrected unit keeps its id and place; entities, links and the words it is found by follow the new text', async () => {
  const find = await store('mover', ['Alice Chen moved to Lisbon.', 'Bob Stone lives in Porto.', 'Bob Stone cooks.']);
  const [id, porto] = [await find('Lisbon'), await find('Porto')];
  const corrected = await correct(id.toUpperCase(), {
    text: 'Bob Stone moved to Zagreb.',
    expected_text: 'Alice Chen moved to Lisbon.',
  });
  expect(corrected).toMatchObject({
    status: 200,
    body: {
      success: true,
      unit_id: id,
      agent_id: 'mover',
      text: 'Bob Stone moved to Zagreb.',
      message: 'Memory unit corrected',
    },
  });
  const position = corrected.headers.get('x-event-position');
  expect(position).toMatch(/^MEMORY:\d+$/);
  const unit = await unitOf(id);
  expect(unit).toMatchObject({
    id,
    text: 'Bob Stone moved to Zagreb.',
    date: '2024-05-01T10:00:00.000Z',
    fact_type: 'world',
    document: { id: 'diary', item: 0, fact: 0 },
    entities: expect.arrayContaining([{ name: 'Bob Stone', type: 'PERSON' }]),
    origin: { event: { type: 'FactsExtracted' } },
    history: [
      {
        text: 'Alice Chen moved to Lisbon.',
        event: { type: 'UnitCorrected', sequence: Number(position?.split(':')[1]) },
        principal: { kind: 'user', id: userId },
      },
    ],
  });
  expect(unit.history[0]?.until).toBe(unit.history[0]?.event.time);
  expect(unit.entities.map(({ name }) => name)).not.toContain('Alice Chen');
  expect(unit.links).toContainEqual(
    expect.objectContaining({ type: 'entity', entity: 'Bob Stone', unit: expect.objectContaining({ id: porto }) }),
  );
  expect(unit.links.filter(({ type, unit: other }) => type === 'temporal' && other.id === porto)).toHaveLength(1);
  expect(await list('mover', 'Lisbon')).toEqual([]);
  expect((await list('mover', 'Zagreb')).map((each) => each.id)).toEqual([id]);
  expect((await search('mover', 'Who moved to Zagreb?'))[0]?.id).toBe(id);
  const { body: stats } = await http.get<Stats>('/api/stats/mover');
  expect([stats.total_nodes, stats.total_links]).toEqual([3, (await edgesOf('mover')).length]);
});

test('the words of a former text, and of a forgotten unit, find nothing, also not by their passage', async () => {
  const text = 'Carla plays the xylophone on Sundays. Dario grows aubergines behind the house. Emma repairs bicycles.';
  const find = await store('passages', [text]);
  expect(await list('passages')).toHaveLength(3);
  const hitsByWords = async (word: string) => {
    const { body } = await http.post<SearchReply>('/api/search', {
      agent_id: 'passages',
      query: word,
      min_score: 0,
      trace: true,
    });
    const { lexical = [], passages = [] } = body.trace?.retrieval ?? {};
    return [...lexical, ...passages].length;
  };
  expect(await hitsByWords('xylophone')).toBeGreaterThan(1);
  expect(await hitsByWords('aubergines')).toBeGreaterThan(1);
  await correct(await find('xylophone'), { text: 'Carla plays the trombone on Sundays.' });
  expect(await hitsByWords('xylophone')).toBe(0);
  expect(await hitsByWords('trombone')).toBeGreaterThan(1);
  await http.delete(`/api/memory/${await find('aubergines')}`);
  expect(await hitsByWords('aubergines')).toBe(0);
  // Also where the unit that stands for the passage is forgotten: the next one takes its place.
  await http.delete(`/api/memory/${await find('trombone')}`);
  expect(await hitsByWords('trombone')).toBe(0);
  expect((await search('passages', 'Who repairs bicycles?'))[0]?.text).toContain('Emma');
});

test('corrections follow one another, and only against the text that the caller has read', async () => {
  const find = await store('careful', ['Alice has two dogs.'], null);
  const id = await find('dogs');
  expect(await correct(id, { text: 'Alice has three dogs.', expected_text: 'Alice has a cat.' })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', message: expect.stringContaining('expected_text') },
  });
  expect((await unitOf(id)).history).toEqual([]);
  await correct(id, { text: 'Alice has three dogs.', expected_text: 'Alice has two dogs.' });
  await correct(id, { text: 'Alice has four dogs.', expected_text: 'Alice has three dogs.' });
  const { text, history } = await unitOf(id);
  expect([text, ...history.map((former) => former.text)]).toEqual([
    'Alice has four dogs.',
    'Alice has two dogs.',
    'Alice has three dogs.',
  ]);
  const same = await correct(id, { text: 'Alice has four dogs.' });
  expect(same).toMatchObject({ status: 200, body: { message: 'Memory unit has this text already' } });
  expect(same.headers.get('x-event-position')).toBeNull();
  const texts = Array.from({ length: 10 }, (_, index) => `Alice has ${10 + index} dogs.`);
  const expected_text = 'Alice has four dogs.';
  const answers = await Promise.all(texts.map((each) => correct(id, { text: each, expected_text })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  expect((await unitOf(id)).history).toHaveLength(3);
});

test('a correction with an idempotency key is made once', async () => {
  const find = await store('repeated', ['Alice owns a boat.'], null);
  const id = await find('boat');
  const headers = { 'idempotency-key': randomUUID() };
  const first = await correct(id, { text: 'Alice owns a ship.' }, headers);
  await correct(id, { text: 'Alice owns a raft.' });
  const again = await correct(id, { text: 'Alice owns a ship.' }, headers);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await unitOf(id)).text).toBe('Alice owns a raft.');
  expect((await correct(id, { text: 'Alice owns a kayak.' }, headers)).status).toBe(409);
});

test('a unit that becomes like another stays a unit of its own', async () => {
  const find = await store('twins', ['Alice Chen sails a boat.', 'Bob Stone bakes bread.']);
  const id = await find('bread');
  await correct(id, { text: 'Alice Chen sails a boat.' });
  expect(await unitOf(id)).toMatchObject({ id, text: 'Alice Chen sails a boat.', mentions: 1 });
  expect(await list('twins')).toHaveLength(2);
});

test.each([
  [{}, 'missing'],
  [{ text: '' }, 'value_error'],
  [{ text: ' \n ' }, 'value_error'],
  [{ text: 'x'.repeat(8_193) }, 'string_too_long'],
  [{ text: 7 }, 'string_type'],
  [{ text: 'x', expected_text: 7 }, 'string_type'],
  [{ text: '\ud800' }, 'string_unicode'],
])('a correction with a bad body is refused (%#)', async (body, type) => {
  const { status, body: problem } = await correct(randomUUID(), body);
  expect([status, problem.detail?.[0]?.type]).toEqual([422, type]);
});

test('a unit that is unknown or forgotten is not corrected', async () => {
  const missing = { status: 404, body: { code: 'NOT_FOUND', message: 'Memory unit not found' } };
  expect(await correct(randomUUID(), { text: 'x' })).toMatchObject(missing);
  const find = await store('gone', ['Alice owns a boat.'], null);
  const id = await find('boat');
  await http.delete(`/api/memory/${id}`);
  expect(await correct(id, { text: 'x' })).toMatchObject(missing);
  expect((await correct('boat', { text: 'x' })).status).toBe(422);
});

test('a replaced or deleted document takes its corrected units and their history with it', async () => {
  const find = await store('editor', ['Alice owns a boat.'], 'letter');
  const id = await find('boat');
  await correct(id, { text: 'Alice owns a ship.' });
  await store('editor', ['Bob owns a car.'], 'letter');
  expect((await http.get(`/api/memory/${id}`)).status).toBe(404);
  const car = await find('car');
  await correct(car, { text: 'Bob owns a van.' });
  await http.delete('/api/documents/letter?agent_id=editor');
  expect((await http.get(`/api/memory/${car}`)).status).toBe(404);
  expect(await list('editor')).toEqual([]);
});

test('erasing the agent erases the history from every store', async () => {
  const find = await store('erased', ['Alice owns a quagga-drawn cart.'], 'letter');
  const id = await find('cart');
  const headers = { 'idempotency-key': randomUUID() };
  await correct(id, { text: 'Alice owns an okapi-drawn cart.' }, headers);
  await correct(id, { text: 'Alice owns a numbat-drawn cart.' });
  expect((await http.delete('/api/agents/erased')).status).toBe(200);
  for (const word of ['quagga-drawn', 'okapi-drawn', 'numbat-drawn'])
    expect(await placesOf(word, system.stack)).toEqual([]);
  expect((await http.get(`/api/memory/${id}`)).status).toBe(404);
});
