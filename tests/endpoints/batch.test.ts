import { randomUUID } from 'node:crypto';
import type { BatchPutAsyncReply, BatchPutReply, OperationStatus, SearchReply, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';
import type { EventLog } from '../system/stores/event-log.ts';

const position = /^MEMORY:[1-9]\d*$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

let http: HttpClient;
let log: EventLog;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  log = await system.openLog();
  return system.release;
});

test('a synchronous batch is answered when its memories can be searched', async () => {
  const batch = {
    agent_id: 'sync',
    items: [{ content: 'Crate C17 holds lemons.' }, { content: 'Dana paints doors.' }],
  };
  const stored = await http.post<BatchPutReply>('/api/memories/batch', batch);
  expect(stored.status).toBe(200);
  expect(stored.body).toEqual({
    success: true,
    message: 'Successfully stored 2 memory items',
    agent_id: 'sync',
    document_id: null,
    items_count: 2,
    operation_id: expect.stringMatching(uuid),
    items: batch.items.map(({ content }) => ({
      units: [{ id: expect.stringMatching(uuid), text: content, type: 'world' }],
    })),
  });
  expect(stored.headers.get('x-event-position')).toMatch(position);
  const found = await http.post<SearchReply>('/api/search', { agent_id: 'sync', query: 'lemons' });
  expect(found.body.results[0]?.text).toBe('Crate C17 holds lemons.');
});

test('an asynchronous batch is answered with its operation, which then completes', async () => {
  const batch = { agent_id: 'async', items: [{ content: 'Crate C18 holds limes.' }], document_id: 'cellar' };
  const queued = await http.post<BatchPutAsyncReply>('/api/memories/batch_async', batch);
  expect(queued.status).toBe(200);
  expect(queued.body).toEqual({
    success: true,
    message: 'Batch put task queued for background processing (1 items)',
    agent_id: 'async',
    document_id: 'cellar',
    items_count: 1,
    queued: true,
    operation_id: expect.stringMatching(uuid),
  });
  expect(queued.headers.get('x-event-position')).toMatch(position);
  const completed = await eventually('the operation completes', async () => {
    const { body } = await http.get<OperationStatus>(`/api/operations/${queued.body.operation_id}/status`);
    return body.status === 'completed' && body;
  });
  expect(completed).toMatchObject({ agent_id: 'async', items_count: 1, units_created: 1, error_message: null });
});

test.each(['batch', 'batch_async'])('an empty %s stores nothing and succeeds', async (call) => {
  const agent_id = `empty-${call}`;
  const answer = await http.post(`/api/memories/${call}`, { agent_id, items: [], document_id: 'kept' });
  expect(answer).toMatchObject({ status: 200, body: { success: true, items_count: 0 } });
  expect(answer.body.message).toContain(call === 'batch' ? 'stored 0 memory items' : '(0 items)');
  const headers = { 'x-min-event-position': answer.headers.get('x-event-position') ?? '' };
  const units = await http.get<UnitList>(`/api/list?agent_id=${agent_id}`, headers);
  expect(units.body).toMatchObject({ items: [], total: 0 });
});

test.each(['batch', 'batch_async'])(
  'a %s that is repeated with its Idempotency-Key is answered and not recorded',
  async (call) => {
    const path = `/api/memories/${call}`;
    const key = { 'idempotency-key': randomUUID() };
    const batch = { agent_id: `repeated-${call}`, items: [{ content: 'Crate C19 holds plums.' }] };
    const stored = await http.post(path, batch, key);
    await eventually('the operation completes', async () => {
      const { body } = await http.get<OperationStatus>(`/api/operations/${stored.body.operation_id}/status`);
      return body.status === 'completed';
    });
    const head = await log.head();
    const again = await http.post(path, batch, key);
    expect([again.status, again.body]).toEqual([200, stored.body]);
    expect(again.headers.get('x-event-position')).toBe(stored.headers.get('x-event-position'));
    expect((await http.post(path, { ...batch, items: [] }, key)).status).toBe(409);
    expect(await log.head()).toBe(head);
  },
);

test('a batch may have 1000 items', async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ content: `Shelf S${index} holds apples.` }));
  const stored = await http.post('/api/memories/batch', { agent_id: 'thousand', items });
  expect(stored).toMatchObject({ status: 200, body: { items_count: 1_000 } });
  const listed = await http.get<UnitList>('/api/list?agent_id=thousand&limit=1000');
  expect(listed.body.total).toBe(1_000);
  expect(new Set(listed.body.items.map(({ text }) => text)).size).toBe(1_000);
});

test('a read with the position of a batch sees it, 50 times of 50', async () => {
  for (let count = 1; count <= 50; count++) {
    const batch = { agent_id: 'seen', items: [{ content: `Crate C${count} holds lemons.` }] };
    const stored = await http.post('/api/memories/batch', batch);
    const headers = { 'x-min-event-position': stored.headers.get('x-event-position') ?? '' };
    expect((await http.get<UnitList>('/api/list?agent_id=seen', headers)).body.total).toBe(count);
  }
});

test('context, event date and its offset, and fields that no one knows are taken in', async () => {
  const item = {
    content: 'Bob met Carol yesterday.',
    event_date: '2023-05-09T00:30:00+02:00',
    context: 'a letter',
    mood: 'glad',
  };
  await http.post('/api/memories/batch', { agent_id: 'dated', items: [item], colour: 'red' });
  const { body } = await http.get<UnitList>('/api/list?agent_id=dated');
  expect(body.items).toHaveLength(1);
  expect(body.items[0]).toMatchObject({ context: 'a letter', text: expect.stringContaining('Bob met Carol') });
  // Yesterday is the 8th for a writer in +02:00, although their item was written on the 8th in UTC.
  expect(body.items[0]?.text).toContain('8 May 2023');
});

test.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2024-02-29', '2024-02-29 12:00'])(
  'the event date %s is taken in and comes out as a timestamp',
  async (event_date) => {
    const agent_id = `date ${event_date}`;
    const items = [{ content: 'Bob met Carol yesterday, or the day before. Dan leaves next year.', event_date }];
    const stored = await http.post('/api/memories/batch', { agent_id, items });
    expect(stored.status).toBe(200);
    const { body } = await http.get<UnitList>(`/api/list?agent_id=${encodeURIComponent(agent_id)}`);
    expect(body.total).toBeGreaterThan(0);
    for (const { date } of body.items) expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  },
);
