import type { BackgroundReply, SearchReply, ThinkReply, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  const items = [
    { content: 'Ana moved to Lisbon in 2024.' },
    { content: 'The assistant booked a flight to Lisbon for Ana.' },
    { content: 'I think that Lisbon is a wonderful city for Ana.' },
    { content: 'Bob repairs clocks in Vienna.' },
  ];
  await http.post('/api/memories/batch', { agent_id: 'alice', items });
  return system.release;
});

const think = async (body: object) => (await http.post<ThinkReply>('/api/think', body)).body;

test('an agent without a model answers with what it remembers', async () => {
  const { text, based_on } = await think({ agent_id: 'alice', query: 'When did Ana move to Lisbon?' });
  expect(text).toContain('Ana moved to Lisbon in 2024.');
  expect(text).not.toContain('Bob');
  expect([...new Set(based_on.map(({ type }) => type))]).toEqual(['world', 'agent', 'opinion']);
});

test('each statement is a unit of its own, found by the name that its pronoun means', async () => {
  const content = 'Maria is a nurse. She works in Porto. Her garden is small. Thanks!';
  const agent_id = 'statements';
  await http.post('/api/memories/batch', { agent_id, items: [{ content }] });
  const query = 'Where does Maria work?';
  const { body } = await http.post<SearchReply>('/api/search', { agent_id, query });
  expect(body.results[0]?.text).toBe('Maria works in Porto.');
  const { body: list } = await http.get<UnitList>(`/api/list?agent_id=${agent_id}`);
  expect(list.items.map(({ text }) => text).sort()).toEqual([
    'Her garden is small. Thanks!',
    'Maria is a nurse.',
    'Maria works in Porto.',
  ]);
});

test('a question about the agent itself rests on what it did, whatever the words', async () => {
  const { based_on } = await think({ agent_id: 'alice', query: 'What have you been up to?' });
  expect(based_on.map(({ text, type }) => [text, type])).toEqual([
    ['The assistant booked a flight to Lisbon for Ana.', 'agent'],
  ]);
});

test('what a user answered to a question of the assistant answers the same question', async () => {
  const agent_id = 'landlord';
  const turns = [
    { role: 'assistant', content: 'What is the name of your landlord?' },
    { role: 'user', content: 'Gustavo' },
    { role: 'assistant', content: 'Thanks, I will write to him.' },
  ];
  for (const item of turns)
    await http.post('/api/memories/batch', { agent_id, document_id: 'chat', mode: 'append', items: [item] });
  const { text } = await think({ agent_id, query: 'What is the name of my landlord?' });
  expect(text).toMatch(/^I remember: .*"(?:user: )?Gustavo"/);
});

test('a question about a day is answered with what happened on it', async () => {
  const agent_id = 'days';
  const items = [
    { content: 'Kira repaired the bicycle.', event_date: '2026-05-02' },
    { content: 'Kira painted the fence in March.', event_date: '2026-03-09' },
    { content: 'Ben sold his boat.', event_date: '2026-02-08' },
  ];
  await http.post('/api/memories/batch', { agent_id, items });
  const asked = (query: string) => think({ agent_id, query, question_date: '2026-05-03T12:00:00Z', store: false });
  expect((await asked('What happened yesterday?')).text).toBe('I remember: "Kira repaired the bicycle." (2 May 2026)');
  expect((await asked('What happened before March?')).text).toBe('I remember: "Ben sold his boat." (8 February 2026)');
});

test('an agent that knows nothing says so, and believes nothing new', async () => {
  const answer = await think({ query: 'Where did Ana move to?' });
  expect(answer).toMatchObject({ based_on: [], new_opinions: [] });
  expect(answer.text).toMatch(/do not know/);
});

test('a background is merged by rules, and gives traits', async () => {
  const add = async (content: string) =>
    (await http.post<BackgroundReply>('/api/agents/guide/background', { content })).body;
  await add('You were born in Colorado. You are curious and creative.');
  const { background, personality } = await add('You were born in Texas.');
  expect(background).toMatch(/\bI was born in Texas\b/);
  expect(background).not.toContain('Colorado');
  expect(personality?.openness).toBeGreaterThan(0.5);
});

test.each([
  [{}, 'query'],
  [{ query: 1 }, 'query'],
  [{ query: 'x', thinking_budget: 0 }, 'thinking_budget'],
  [{ query: 'x', thinking_budget: 1.5 }, 'thinking_budget'],
  [{ query: 'x', agent_id: '' }, 'agent_id'],
  [{ query: 'x', context: 7 }, 'context'],
])('a question of the wrong shape is refused: %j', async (body, field) => {
  const { status, body: refusal } = await http.post('/api/think', body);
  expect([status, refusal.detail[0].loc]).toEqual([422, ['body', field]]);
});

test.each([
  [{}, 'content'],
  [{ content: null }, 'content'],
  [{ content: 'x', update_personality: 'yes' }, 'update_personality'],
])('an addition of the wrong shape is refused: %j', async (body, field) => {
  const { status, body: refusal } = await http.post('/api/agents/a/background', body);
  expect([status, refusal.detail[0].loc]).toEqual([422, ['body', field]]);
});

test.each(['', ' ', '?', '🦊', '日本', 'x'.repeat(8_000)].entries().toArray())(
  'an odd question is answered (%i)',
  async (_i, query) => {
    const { text } = await think({ agent_id: 'alice', query });
    expect(text.trim()).not.toBe('');
  },
);
