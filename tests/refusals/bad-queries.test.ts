import { randomUUID } from 'node:crypto';
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

const long = 'x'.repeat(10_000);

test.each([
  ['/api/list?limit=0', ['query', 'limit'], 'greater_than_equal'],
  ['/api/list?limit=1001', ['query', 'limit'], 'less_than_equal'],
  ['/api/list?limit=-1', ['query', 'limit'], 'greater_than_equal'],
  ['/api/list?limit=1e2', ['query', 'limit'], 'int_parsing'],
  ['/api/list?limit=0x10', ['query', 'limit'], 'int_parsing'],
  ['/api/list?limit=%201%20', ['query', 'limit'], 'int_parsing'],
  ['/api/list?limit=1.5', ['query', 'limit'], 'int_parsing'],
  ['/api/list?limit=', ['query', 'limit'], 'int_parsing'],
  ['/api/list?limit=1&limit=2', ['query', 'limit'], 'string_type'],
  ['/api/list?offset=-1', ['query', 'offset'], 'greater_than_equal'],
  ['/api/list?offset=99999999999999999999', ['query', 'offset'], 'less_than_equal'],
  ['/api/list?fact_type=fact', ['query', 'fact_type'], 'enum'],
  ['/api/list?agent_id=', ['query', 'agent_id'], 'string_too_short'],
  [`/api/list?agent_id=${long}`, ['query', 'agent_id'], 'string_too_long'],
  ['/api/documents', ['query', 'agent_id'], 'missing'],
  ['/api/documents?agent_id=a&limit=1001', ['query', 'limit'], 'less_than_equal'],
  ['/api/documents/d', ['query', 'agent_id'], 'missing'],
  [`/api/operations/${long}`, ['path', 'agent_id'], 'string_too_long'],
  [`/api/agents/${long}/profile`, ['path', 'agent_id'], 'string_too_long'],
  [`/api/stats/${long}`, ['path', 'agent_id'], 'string_too_long'],
])('GET %.40s is 422', async (path, loc, type) => {
  const head = await log.head();
  const answer = await system.http.get(path);
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ detail: [{ loc, msg: expect.any(String), type }] });
  expect(await log.head()).toBe(head);
});

test.each([
  [{}, ['body', 'query'], 'missing'],
  [{ query: null }, ['body', 'query'], 'string_type'],
  [{ query: 'x', fact_type: 'world' }, ['body', 'fact_type'], 'list_type'],
  [{ query: 'x', fact_type: [1] }, ['body', 'fact_type', 0], 'string_type'],
  [{ query: 'x', thinking_budget: 0 }, ['body', 'thinking_budget'], 'greater_than_equal'],
  [{ query: 'x', thinking_budget: 10_001 }, ['body', 'thinking_budget'], 'less_than_equal'],
  [{ query: 'x', thinking_budget: 1.5 }, ['body', 'thinking_budget'], 'int_from_float'],
  [{ query: 'x', thinking_budget: '5' }, ['body', 'thinking_budget'], 'int_type'],
  [{ query: 'x', max_tokens: -1 }, ['body', 'max_tokens'], 'greater_than_equal'],
  [{ query: 'x', reranker: 'best' }, ['body', 'reranker'], 'enum'],
  [{ query: 'x', trace: 'yes' }, ['body', 'trace'], 'bool_type'],
  [{ query: 'x', question_date: 5 }, ['body', 'question_date'], 'string_type'],
  [{ query: 'x', agent_id: '' }, ['body', 'agent_id'], 'string_too_short'],
])('the search %j is 422', async (body, loc, type) => {
  const answer = await system.http.post('/api/search', body);
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ detail: [{ loc, msg: expect.any(String), type }] });
});

test('an unknown fact type, and a question date that is no date, are 400', async () => {
  const badType = await system.http.post('/api/search', { query: 'x', fact_type: ['world', 'dream'] });
  expect(badType.status).toBe(400);
  expect(badType.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const message = "Invalid fact_type 'dream'. Must be one of: world, agent, opinion";
  expect(badType.body).toMatchObject({ status: 400, code: 'BAD_REQUEST', message, detail: message });
  const badDate = await system.http.post('/api/search', { query: 'x', question_date: 'tomorrow' });
  expect(badDate).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test.each(['x', '1', `${randomUUID()}0`, '*', '%2A', '>', 'null'])('the operation id %s is 400', async (id) => {
  const message = `Invalid operation_id format: ${decodeURIComponent(id)}`;
  const expected = { status: 400, body: { code: 'BAD_REQUEST', message } };
  expect(await system.http.delete(`/api/operations/${id}`)).toMatchObject(expected);
  expect(await system.http.get(`/api/operations/${id}/status`)).toMatchObject(expected);
});

test('an operation that no one knows is 404', async () => {
  const id = randomUUID();
  const expected = { status: 404, body: { code: 'NOT_FOUND', message: `Operation ${id} not found` } };
  expect(await system.http.delete(`/api/operations/${id}`)).toMatchObject(expected);
  expect(await system.http.get(`/api/operations/${id}/status`)).toMatchObject(expected);
});

test('a unit id that is no UUID is 422', async () => {
  const answer = await system.http.delete('/api/memory/7');
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({
    detail: [{ loc: ['path', 'unit_id'], msg: expect.any(String), type: 'uuid_parsing' }],
  });
});

const traits = { conscientiousness: 0, extraversion: 0, agreeableness: 0, neuroticism: 1, bias_strength: 1 };

test.each([
  [{ openness: 1.01 }, 'less_than_equal'],
  [{ openness: -0.01 }, 'greater_than_equal'],
  [{ openness: '0.5' }, 'float_type'],
  [{ openness: null }, 'float_type'],
  [{}, 'missing'],
])('a personality with %j is 422', async (openness, type) => {
  const head = await log.head();
  const personality = { ...traits, ...openness };
  for (const path of ['/api/agents/a/profile', '/api/agents/a']) {
    const answer = await system.http.put(path, { personality });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([{ loc: ['body', 'personality', 'openness'], msg: expect.any(String), type }]);
  }
  expect(await log.head()).toBe(head);
});
