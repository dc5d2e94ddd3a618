import { randomUUID } from 'node:crypto';
import type { BatchPutAsyncReply, MemoryUnit, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let system: SharedSystem;
let ana: Person;
beforeAll(async () => {
  system = await shareSystem();
  ana = await newPerson(system.http);
  return system.release;
});

const idOf = async (http: HttpClient, agentId: string, word: string) =>
  (await http.get<UnitList>(`/api/list?agent_id=${agentId}&q=${word}`)).body.items[0]?.id ?? '';
const unitOf = async (http: HttpClient, id: string) => (await http.get<MemoryUnit>(`/api/memory/${id}`)).body;

test('a unit is shown with the whole context of its item, however much of it lists and searches show', async () => {
  const context = `${'A long talk about boats. '.repeat(700)}`.slice(0, 16 * 1024);
  const items = [{ content: 'Bob owns a canoe.' }, { content: 'Carla owns a kayak. Carla owns a raft.', context }];
  const { status } = await ana.http.post('/api/memories/batch', { agent_id: 'talker', items });
  expect(status).toBe(200);
  const { body } = await ana.http.get<UnitList>('/api/list?agent_id=talker&q=raft');
  expect(body.items[0]?.context).toBe(`${context.slice(0, 2_000)}…`);
  expect((await unitOf(ana.http, body.items[0]?.id ?? '')).context).toBe(context);
  expect((await unitOf(ana.http, await idOf(ana.http, 'talker', 'canoe'))).context).toBeNull();
});

test('a unit is shown with its document, entities and links, and says which request of whom it comes from', async () => {
  const requestId = randomUUID();
  const items = ['Alice Chen sails a boat.', 'Alice Chen paints a door.'].map((content) => ({
    content,
    event_date: '2024-05-01T10:00:00Z',
    context: 'a letter',
  }));
  const batch = { agent_id: 'sailor', document_id: 'diary', items };
  const stored = await ana.http.post('/api/memories/batch', batch, { 'x-request-id': requestId });
  expect(stored.status).toBe(200);
  const id = await idOf(ana.http, 'sailor', 'door');
  const unit = await unitOf(ana.http, id.toUpperCase());
  expect(unit).toEqual({
    id,
    agent_id: 'sailor',
    text: 'Alice Chen paints a door.',
    context: 'a letter',
    date: '2024-05-01T10:00:00.000Z',
    fact_type: 'world',
    entities: [{ name: 'Alice Chen', type: 'PERSON' }],
    confidence: null,
    mentions: 1,
    document: { id: 'diary', item: 1, fact: 1 },
    links: expect.any(Array),
    has_more_links: false,
    origin: {
      event: {
        stream: 'MEMORY',
        sequence: expect.any(Number),
        id: expect.any(String),
        type: 'FactsExtracted',
        time: timestamp,
      },
      operation_id: expect.stringMatching(/^[\da-f-]{36}$/),
      request_id: requestId,
      principal: { kind: 'user', id: ana.userId },
    },
    history: [],
    opinion: null,
  });
  const other = await unitOf(ana.http, await idOf(ana.http, 'sailor', 'boat'));
  expect(unit.links).toContainEqual({
    type: 'entity',
    direction: 'in',
    weight: expect.any(Number),
    entity: 'Alice Chen',
    unit: { id: other.id, text: other.text },
  });
  expect(other.links).toContainEqual(expect.objectContaining({ direction: 'out', unit: { id, text: unit.text } }));
  const log = await system.openLog();
  const [event] = await log.after((unit.origin?.event.sequence ?? 0) - 1);
  expect(event?.header('ce-id')).toBe(unit.origin?.event.id);
});

test('what a key stored says so by the id of the key, never by the key', async () => {
  const { key, id: keyId } = await createKey(ana);
  const http = system.http.as(key);
  const batch = { agent_id: 'keyed', items: [{ content: 'Bob waters the garden.' }] };
  const { body } = await http.post<BatchPutAsyncReply>('/api/memories/batch_async', batch);
  await eventually('it is stored', async () => (await idOf(http, 'keyed', 'garden')) !== '');
  const unit = await unitOf(http, await idOf(http, 'keyed', 'garden'));
  expect(unit.document).toBeNull();
  expect(unit.origin).toMatchObject({ operation_id: body.operation_id, principal: { kind: 'key', id: keyId } });
  expect(JSON.stringify(unit)).not.toContain(key.slice(3));
});

test('a unit has a hundred of its strongest links at most, and says that there are more', async () => {
  const items = Array.from({ length: 150 }, (_, index) => ({
    content: `Zoe Quill counted ${index} birds in field ${index}.`,
    event_date: '2024-05-01T10:00:00Z',
  }));
  await ana.http.post('/api/memories/batch', { agent_id: 'crowd', items });
  const { body } = await ana.http.get('/api/graph?agent_id=crowd');
  const counts = new Map<string, number>();
  for (const { from, to } of body.edges) for (const id of [from, to]) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of [...counts].sort((left, right) => right[1] - left[1]).slice(0, 3)) {
    const { links, has_more_links } = await unitOf(ana.http, id);
    expect([links.length, has_more_links]).toEqual([Math.min(100, count), count > 100]);
    expect(links.map(({ weight }) => weight)).toEqual(links.map(({ weight }) => weight).sort((a, b) => b - a));
  }
});

test('a unit that is unknown, of another space, forgotten or badly named is not shown', async () => {
  await ana.http.post('/api/memories/batch', { agent_id: 'private', items: [{ content: 'Emil keeps bees.' }] });
  const id = await idOf(ana.http, 'private', 'bees');
  const missing = { status: 404, body: { code: 'NOT_FOUND', message: 'Memory unit not found' } };
  expect(await ana.http.get(`/api/memory/${randomUUID()}`)).toMatchObject(missing);
  expect(await (await system.ownSpace()).get(`/api/memory/${id}`)).toMatchObject(missing);
  const { key } = await createKey(ana, { agent_id: 'sailor' });
  expect(await system.http.as(key).get(`/api/memory/${id}`)).toMatchObject({ status: 403 });
  await ana.http.delete(`/api/memory/${id}`);
  expect(await ana.http.get(`/api/memory/${id}`)).toMatchObject(missing);
  expect(await ana.http.get('/api/memory/bees')).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['path', 'unit_id'], type: 'uuid_parsing' }] },
  });
});
