import type { AgentProfile, BackgroundReply } from '@mneme/contracts';
import { expect, test } from 'vitest';
import { useModelSystem } from './model-system.ts';

const traits = { openness: 0.9, conscientiousness: 0.1, extraversion: 0.2, agreeableness: 0.3, neuroticism: 0.4 };
const middle = { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5, neuroticism: 0.5 };

const fixture = useModelSystem();

const add = (agentId: string, body: object, headers: Record<string, string> = {}) =>
  fixture.system.http.post<BackgroundReply>(`/api/agents/${agentId}/background`, body, headers);
const profile = async (agentId: string) =>
  (await fixture.system.http.get<AgentProfile>(`/api/agents/${agentId}/profile`)).body;

test('an addition is merged by the model, and the personality read out of the result', async () => {
  await fixture.system.http.put('/api/agents/texan', {
    background: 'I was born in Colorado.',
    personality: { ...middle, bias_strength: 0.9 },
  });
  fixture.model.replies.next('background', { json: { background: 'I was born in Texas.' } });
  fixture.model.replies.next('traits', { json: traits });
  const { status, body, headers } = await add('texan', { content: 'You were born in Texas.' });
  expect([status, body]).toEqual([
    200,
    { background: 'I was born in Texas.', personality: { ...traits, bias_strength: 0.9 } },
  ]);
  expect(headers.get('x-event-position')).toMatch(/^MEMORY:\d+$/);
  expect(await profile('texan')).toEqual({ agent_id: 'texan', ...body });
  const [merge] = fixture.model.requests.filter(({ task }) => task === 'background');
  expect(merge?.text).toContain('I was born in Colorado.');
  expect(merge?.text).toContain('You were born in Texas.');
});

test('an agent that is not there is created', async () => {
  expect((await add('new', { content: 'I sail.' })).status).toBe(200);
  const { body } = await fixture.system.http.get('/api/agents');
  expect(body.agents.map(({ agent_id }: { agent_id: string }) => agent_id)).toContain('new');
});

test('the personality is left alone when that is asked for', async () => {
  const { body } = await add('kept', { content: 'I sail.', update_personality: false });
  expect(body).toEqual({ background: expect.stringContaining('sail'), personality: null });
  expect(fixture.model.calls('traits')).toBe(0);
  expect((await profile('kept')).personality).toEqual({ ...middle, bias_strength: 0.5 });
});

test.each(['broken-json', 'stall'] as const)(
  'traits that cannot be read stay, and the merge holds: %s',
  async (fault) => {
    const agent = `traits-${fault}`;
    const personality = { ...traits, bias_strength: 0.3 };
    await fixture.system.http.put(`/api/agents/${agent}`, { personality });
    fixture.model.replies.next('background', { json: { background: 'I sail.' } });
    fixture.model.replies.always('traits', { fault });
    const { status, body } = await add(agent, { content: 'You sail.' });
    expect([status, body]).toEqual([200, { background: 'I sail.', personality }]);
    expect(await profile(agent)).toEqual({ agent_id: agent, background: 'I sail.', personality });
  },
);

test.each([
  [{ fault: 'refusal' }, 500, 'INTERNAL_ERROR'],
  [{ fault: 'empty' }, 500, 'INTERNAL_ERROR'],
  [{ fault: 'server-error' }, 503, 'UNAVAILABLE'],
  [{ fault: 'rate-limit', retryAfter: '120' }, 503, 'UNAVAILABLE'],
  [{ fault: 'stall' }, 504, 'TIMEOUT'],
] as const)('a merge that fails changes nothing: %j', async (fault, status, code) => {
  await fixture.system.http.put('/api/agents/unmerged', { background: 'I paint.' });
  fixture.model.replies.always('background', fault);
  const answer = await add('unmerged', { content: 'You sail.' });
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
  expect((await profile('unmerged')).background).toBe('I paint.');
});

test('additions at the same time all end up in the background', async () => {
  const contents = ['I sail.', 'I sing.', 'I cook.', 'I paint.', 'I dance.'];
  const answers = await Promise.all(contents.map((content) => add('busy', { content })));
  expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
  const { background } = await profile('busy');
  for (const content of contents) expect(background).toContain(content);
  expect(fixture.model.calls('background')).toBe(contents.length);
});

test('a request that is sent again merges once', async () => {
  const key = { 'idempotency-key': 'merge' };
  const [first, again] = [
    await add('once', { content: 'I sail.' }, key),
    await add('once', { content: 'I sail.' }, key),
  ];
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(fixture.model.calls('background')).toBe(1);
});
