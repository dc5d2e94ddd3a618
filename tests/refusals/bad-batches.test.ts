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

const item = { content: 'Bob sings.' };
const items = [item];
const agent_id = 'a';

const unprocessable: [name: string, body: unknown, loc: (string | number)[], type: string][] = [
  ['no agent', { items }, ['body', 'agent_id'], 'missing'],
  ['no items', { agent_id }, ['body', 'items'], 'missing'],
  ['a list for a body', [], ['body'], 'model_attributes_type'],
  ['null for a body', null, ['body'], 'model_attributes_type'],
  ['a number for the agent', { agent_id: 1, items }, ['body', 'agent_id'], 'string_type'],
  ['null for the agent', { agent_id: null, items }, ['body', 'agent_id'], 'string_type'],
  ['an empty agent id', { agent_id: '', items }, ['body', 'agent_id'], 'string_too_short'],
  ['an agent id of 257', { agent_id: 'x'.repeat(257), items }, ['body', 'agent_id'], 'string_too_long'],
  ['an agent id of 10 000', { agent_id: 'x'.repeat(10_000), items }, ['body', 'agent_id'], 'string_too_long'],
  ['half a surrogate pair', { agent_id: '\ud800', items }, ['body', 'agent_id'], 'string_unicode'],
  ['text for items', { agent_id, items: 'Bob' }, ['body', 'items'], 'list_type'],
  ['an object for items', { agent_id, items: { 0: item } }, ['body', 'items'], 'list_type'],
  ['1001 items', { agent_id, items: Array(1_001).fill(item) }, ['body', 'items'], 'too_long'],
  ['text for an item', { agent_id, items: ['Bob'] }, ['body', 'items', 0], 'model_attributes_type'],
  ['no content', { agent_id, items: [item, {}] }, ['body', 'items', 1, 'content'], 'missing'],
  ['a number for content', { agent_id, items: [{ content: 7 }] }, ['body', 'items', 0, 'content'], 'string_type'],
  ['empty content', { agent_id, items: [{ content: '' }] }, ['body', 'items', 0, 'content'], 'value_error'],
  ['blank content', { agent_id, items: [{ content: ' \n\t　' }] }, ['body', 'items', 0, 'content'], 'value_error'],
  ['a number for context', withField('context', 7), ['body', 'items', 0, 'context'], 'string_type'],
  ['a date of words', withField('event_date', 'soon'), ['body', 'items', 0, 'event_date'], 'datetime_parsing'],
  ['an empty date', withField('event_date', ''), ['body', 'items', 0, 'event_date'], 'datetime_parsing'],
  ['a number for a date', withField('event_date', 1), ['body', 'items', 0, 'event_date'], 'string_type'],
  ['30 February', withField('event_date', '2023-02-30'), ['body', 'items', 0, 'event_date'], 'datetime_parsing'],
  ['25 o’clock', withField('event_date', '2023-02-03T25:00'), ['body', 'items', 0, 'event_date'], 'datetime_parsing'],
  ['the year 0', withField('event_date', '0000-01-01'), ['body', 'items', 0, 'event_date'], 'datetime_parsing'],
  ['the year 10 000', withField('event_date', '+010000-01-01'), ['body', 'items', 0, 'event_date'], 'datetime_parsing'],
  ['a number for the document', { agent_id, items, document_id: 1 }, ['body', 'document_id'], 'string_type'],
  ['an empty document id', { agent_id, items, document_id: '' }, ['body', 'document_id'], 'string_too_short'],
];

function withField(name: string, value: unknown) {
  return { agent_id, items: [{ ...item, [name]: value }] };
}

test.each(unprocessable)('a batch with %s is 422, and nothing is recorded', async (_name, body, loc, type) => {
  const head = await log.head();
  for (const call of ['batch', 'batch_async']) {
    const answer = await system.http.post(`/api/memories/${call}`, body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body).toEqual({ detail: [{ loc, msg: expect.any(String), type }] });
    expect(answer.body.detail[0].msg).not.toBe('');
  }
  expect(await log.head()).toBe(head);
});

test('all faults of a body are named together', async () => {
  const body = { agent_id: 7, items: [{ content: ' ' }, {}], document_id: [] };
  const { body: answer } = await system.http.post('/api/memories/batch', body);
  expect(answer.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([
    'body.agent_id',
    'body.items.0.content',
    'body.items.1.content',
    'body.document_id',
  ]);
});
