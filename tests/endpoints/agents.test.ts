import type { AgentList, AgentProfile } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

const defaults = {
  openness: 0.5,
  conscientiousness: 0.5,
  extraversion: 0.5,
  agreeableness: 0.5,
  neuroticism: 0.5,
  bias_strength: 0.5,
};

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  return system.release;
});

const path = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}`;
const profileOf = (agentId: string) => http.get<AgentProfile>(`${path(agentId)}/profile`);
const agents = async () => (await http.get<AgentList>('/api/agents')).body.agents;

test('reading the profile of a new agent makes it exist with the defaults', async () => {
  const first = await profileOf('new');
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ agent_id: 'new', personality: defaults, background: '' });
  expect(first.headers.get('x-event-position')).toMatch(/^MEMORY:\d+$/);
  const second = await profileOf('new');
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('x-event-position')).toBeNull();
  expect((await agents()).filter(({ agent_id }) => agent_id === 'new')).toHaveLength(1);
});

test('a put agent is created with defaults for what is missing, and keeps what is not given', async () => {
  const created = await http.put<AgentProfile>(path('put'), {});
  expect(created.body).toEqual({ agent_id: 'put', personality: defaults, background: '' });
  const personality = { ...defaults, extraversion: 0.25 };
  await http.put(path('put'), { personality, background: 'I sail.' });
  const kept = await http.put<AgentProfile>(path('put'), { personality: null, background: null });
  expect(kept.body).toEqual({ agent_id: 'put', personality, background: 'I sail.' });
});

test('agents are listed with their times, the one changed last first', async () => {
  for (const id of ['one', 'two', 'three']) await http.put(path(id), {});
  await http.post('/api/memories/batch', { agent_id: 'one', items: [{ content: 'Dana paints doors.' }] });
  const listed = await agents();
  expect(listed.slice(0, 3).map(({ agent_id }) => agent_id)).toEqual(['one', 'three', 'two']);
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(listed[0]).toEqual({
    agent_id: 'one',
    personality: defaults,
    background: '',
    created_at: timestamp,
    updated_at: timestamp,
  });
});

test('agents changed at once by many callers end up as one of them said', async () => {
  const values = Array.from({ length: 20 }, (_, index) => index / 20);
  const answers = await Promise.all(
    values.map((openness) => http.put(`${path('busy')}/profile`, { personality: { ...defaults, openness } })),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(values).toContain((await profileOf('busy')).body.personality.openness);
});

const oddIds = ['a.b', 'a b', '*', '>', '🦊', 'x'.repeat(256), '🦊'.repeat(256), '%', 'a/b', '__proto__', 'nul\u0000'];

test.each(oddIds.entries().toArray())('an agent id may hold any 1 to 256 characters (%i)', async (_index, id) => {
  const stored = await http.post('/api/memories/batch', { agent_id: id, items: [{ content: 'Bob sings.' }] });
  expect(stored.status).toBe(200);
  expect((await profileOf(id)).body.agent_id).toBe(id);
  const units = await http.get(`/api/list?agent_id=${encodeURIComponent(id)}`);
  expect(units.body.total).toBe(1);
  const stats = await http.get(`/api/stats/${encodeURIComponent(id)}`);
  expect(stats.body).toMatchObject({ agent_id: id, total_nodes: 1 });
});

test('a page of agents is asked for properly', async () => {
  for (const query of ['limit=1001', 'limit=x', `cursor=${'x'.repeat(1_025)}`, 'limit=1&limit=2'])
    expect([query, (await http.get(`/api/agents?${query}`)).status]).toEqual([query, 422]);
  for (const cursor of ['', 'W10', Buffer.from('[1]').toString('base64url'), '%00'])
    expect([cursor, (await http.get(`/api/agents?cursor=${cursor}`)).status]).toEqual([cursor, 400]);
  expect((await http.get<AgentList>('/api/agents?prefix=%24.*')).body).toEqual({
    agents: [],
    total: 0,
    next_cursor: null,
  });
});

test('agents are found by a part of their id, ignoring case', async () => {
  for (const id of ['Shop.North', 'shop-south', 'SHOP.(north)']) await http.put(path(id), {});
  const found = async (q: string) => {
    const { status, body } = await http.get<AgentList>(`/api/agents?q=${encodeURIComponent(q)}`);
    expect([status, body.total]).toEqual([200, body.agents.length]);
    return body.agents.map(({ agent_id }) => agent_id).sort();
  };
  expect(await found('shop')).toEqual(['SHOP.(north)', 'Shop.North', 'shop-south']);
  expect(await found('P.N')).toEqual(['Shop.North']);
  expect(await found('.(NORTH)')).toEqual(['SHOP.(north)']);
  expect(await found('ul\u0000')).toEqual(['nul\u0000']);
  for (const none of ['sh.p', '[a-z]', '()', '\\', '🦊🦊🦊🦊🐻']) expect([none, await found(none)]).toEqual([none, []]);
  const both = await http.get<AgentList>('/api/agents?q=NORTH&prefix=Shop');
  expect(both.body.agents.map(({ agent_id }) => agent_id)).toEqual(['Shop.North']);
  expect((await http.get(`/api/agents?q=${'x'.repeat(513)}`)).status).toBe(422);
});

test('the memories and documents of agents are counted when that is asked for', async () => {
  const items = ['Ana paints.', 'Bob sings.'].map((content) => ({ content }));
  await http.post('/api/memories/batch', { agent_id: 'counted-a', document_id: 'd1', items });
  await http.post('/api/memories/batch', {
    agent_id: 'counted-a',
    document_id: 'd2',
    items: [{ content: 'Cy sails.' }],
  });
  await http.delete('/api/documents/d2?agent_id=counted-a');
  await http.put(path('counted-b'), {});
  const counts = async (query: string) => {
    const { body } = await http.get<AgentList>(`/api/agents?prefix=counted-${query}`);
    return body.agents.map((agent) => [agent.agent_id, agent.memory_unit_count, agent.document_count]);
  };
  expect(await counts('&counts=true')).toEqual([
    ['counted-b', 0, 0],
    ['counted-a', 2, 1],
  ]);
  expect(await counts('')).toEqual([
    ['counted-b', undefined, undefined],
    ['counted-a', undefined, undefined],
  ]);
  const { body } = await http.get<AgentList>('/api/agents?prefix=counted-&counts=true&limit=1');
  expect([body.agents.length, body.total, typeof body.next_cursor]).toEqual([1, 2, 'string']);
  expect((await http.get('/api/agents?counts=1')).status).toBe(422);
});
