import type { AgentList, AgentProfile } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';

const defaults = {
  openness: 0.5,
  conscientiousness: 0.5,
  extraversion: 0.5,
  agreeableness: 0.5,
  neuroticism: 0.5,
  bias_strength: 0.5,
};

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  return system.stop;
});

const path = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}`;
const profileOf = (agentId: string) => system.http.get<AgentProfile>(`${path(agentId)}/profile`);
const agents = async () => (await system.http.get<AgentList>('/api/agents')).body.agents;

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

test('the personality is replaced; the background stays', async () => {
  await system.http.put(path('shaped'), { background: 'I am a gardener.' });
  const personality = { ...defaults, openness: 1, neuroticism: 0 };
  const { status, body } = await system.http.put(`${path('shaped')}/profile`, { personality });
  expect(status).toBe(200);
  expect(body).toEqual({ agent_id: 'shaped', personality, background: 'I am a gardener.' });
  expect((await profileOf('shaped')).body).toEqual(body);
});

test('a put agent is created with defaults for what is missing, and keeps what is not given', async () => {
  const created = await system.http.put<AgentProfile>(path('put'), {});
  expect(created.body).toEqual({ agent_id: 'put', personality: defaults, background: '' });
  const personality = { ...defaults, extraversion: 0.25 };
  await system.http.put(path('put'), { personality, background: 'I sail.' });
  const kept = await system.http.put<AgentProfile>(path('put'), { personality: null, background: null });
  expect(kept.body).toEqual({ agent_id: 'put', personality, background: 'I sail.' });
});

test('agents are listed with their times, the one changed last first', async () => {
  for (const id of ['one', 'two', 'three']) await system.http.put(path(id), {});
  await system.http.post('/api/memories/batch', { agent_id: 'one', items: [{ content: 'Dana paints doors.' }] });
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
    values.map((openness) => system.http.put(`${path('busy')}/profile`, { personality: { ...defaults, openness } })),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(values).toContain((await profileOf('busy')).body.personality.openness);
});

const oddIds = ['a.b', 'a b', '*', '>', '🦊', 'x'.repeat(256), '🦊'.repeat(256), '%', 'a/b', '__proto__', 'nul\u0000'];

test.each(oddIds.entries().toArray())('an agent id may hold any 1 to 256 characters (%i)', async (_index, id) => {
  const stored = await system.http.post('/api/memories/batch', { agent_id: id, items: [{ content: 'Bob sings.' }] });
  expect(stored.status).toBe(200);
  expect((await profileOf(id)).body.agent_id).toBe(id);
  const units = await system.http.get(`/api/list?agent_id=${encodeURIComponent(id)}`);
  expect(units.body.total).toBe(1);
  const stats = await system.http.get(`/api/stats/${encodeURIComponent(id)}`);
  expect(stats.body).toMatchObject({ agent_id: id, total_nodes: 1 });
});

test('agents are read in pages, each of them once, and by the beginning of their id', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `paged-${index}`);
  for (const id of names) await system.http.put(path(id), {});
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await system.http.get<AgentList>(`/api/agents?prefix=paged-&limit=3${from}`);
    expect(body.total).toBe(7);
    found.push(...body.agents.map(({ agent_id }) => agent_id));
    cursor = body.next_cursor;
  }
  expect(found).toEqual(names.toReversed());
  expect((await system.http.get('/api/agents?cursor=nonsense')).status).toBe(400);
  expect((await system.http.get('/api/agents?limit=0')).status).toBe(422);
});
