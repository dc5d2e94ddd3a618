import type { SearchReply, ThinkReply, UnitList } from '@mneme/contracts';
import type { ModelReply } from '@mneme/models/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { oneOpinion, useModelSystem } from './model-system.ts';

const question = { agent_id: 'alice', query: 'Would Ana like a boat trip?' };
const belief = 'I believe that Ana enjoys boats.';

const fixture = useModelSystem();
beforeAll(async () => {
  const items = [
    { content: 'The assistant booked a boat for Ana.', event_date: '2026-05-02T10:00:00Z' },
    { content: 'Ana loves boats and the sea.', event_date: '2026-05-01T10:00:00Z', context: 'chat' },
  ];
  await fixture.system.http.post('/api/memories/batch', { agent_id: 'alice', items });
  await fixture.system.http.put('/api/agents/alice', { background: 'I plan holidays.' });
});

const think = (body: object, headers: Record<string, string> = {}) =>
  fixture.system.http.post<ThinkReply>('/api/think', body, headers);
const opinionsOf = async (agentId: string) =>
  (await fixture.system.http.get<UnitList>(`/api/list?agent_id=${agentId}&fact_type=opinion`)).body.items;

describe('an answer', () => {
  test('rests on world facts, then on experiences, then on opinions, and brings opinions that are found at once', async () => {
    fixture.model.replies.next('think', 'I think that she would. Ana loves the sea.');
    fixture.model.replies.next('opinions', oneOpinion(belief));
    const { status, body, headers } = await think(question);
    expect(status).toBe(200);
    expect(headers.get('x-event-position')).toMatch(/^MEMORY:\d+$/);
    expect(body).toEqual({
      text: 'I think that she would. Ana loves the sea.',
      based_on: [
        {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          text: 'Ana loves boats and the sea.',
          type: 'world',
          activation: expect.any(Number),
          context: 'chat',
          event_date: '2026-05-01T10:00:00.000Z',
        },
        expect.objectContaining({ text: 'The assistant booked a boat for Ana.', type: 'agent' }),
      ],
      new_opinions: [belief],
    });
    const found = await fixture.system.http.post<SearchReply>('/api/search', { ...question, fact_type: ['opinion'] });
    expect(found.body.results.map(({ text, type }) => [text, type])).toEqual([[belief, 'opinion']]);
    expect((await opinionsOf('alice'))[0]?.entities).toBe('Ana (PERSON)');
  });

  test('is given as of the time and the place of the question', async () => {
    await think({ ...question, question_date: '2026-05-20T08:00:00+14:00', store: false });
    const [asked] = fixture.model.requests.filter(({ task }) => task === 'think');
    expect(asked?.prompt).toContain('Now: 2026-05-20T08:00:00.000+14:00');
    expect(asked?.prompt).toContain('[2026-05-02] Ana loves boats and the sea.');
  });

  test('is asked for with the character of the agent, what it remembers, and what the caller adds', async () => {
    await think({ ...question, context: 'The sea is rough today.' });
    const [asked] = fixture.model.requests.filter(({ task }) => task === 'think');
    for (const part of [
      'I plan holidays.',
      'Ana loves boats and the sea.',
      'booked a boat',
      belief,
      'The sea is rough',
    ])
      expect(asked?.text).toContain(part);
  });

  test('does not form an opinion again that it rests on', async () => {
    fixture.model.replies.next('opinions', oneOpinion(belief));
    const { body } = await think(question);
    expect(body.based_on.at(-1)).toMatchObject({ text: belief, type: 'opinion' });
    expect(body.new_opinions).toEqual([]);
    expect(await opinionsOf('alice')).toHaveLength(1);
  });

  test('does not form an opinion again that the question has not found, nor one that others form at the same time', async () => {
    fixture.model.replies.always('opinions', oneOpinion(belief));
    const ask = async (query: string) => (await think({ agent_id: 'ben', query })).body.new_opinions;
    const formed = await Promise.all(['What is a tax?', 'Who sings?', 'Why is snow cold?'].map(ask));
    expect(formed.flat()).toEqual([belief]);
    expect(await ask('How do bees sleep?')).toEqual([]);
    expect(await opinionsOf('ben')).toHaveLength(1);
  });

  test('is counted, with what it took', async () => {
    await think(question);
    const { body } = await fixture.system.http.get('/metrics');
    expect(body).toMatch(/^mneme_model_calls_total\{task="think",model="openai:stand-in"\} [1-9]/m);
    expect(body).toMatch(/^mneme_model_tokens_total\{task="think",model="openai:stand-in",direction="input"\} [1-9]/m);
  });

  test('embeds the question once', async () => {
    await think(question);
    expect(fixture.model.calls('embed')).toBe(1);
  });

  test('is given again, and nothing stored twice, when the request is sent again with its key', async () => {
    const key = { 'idempotency-key': 'the-same-thought' };
    const asked = { agent_id: 'keyed', query: 'Would Ana like a boat trip?' };
    fixture.model.replies.always('opinions', oneOpinion(belief));
    const first = await think(asked, key);
    const again = await think(asked, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const together = await Promise.all([1, 2, 3].map(() => think(asked, { 'idempotency-key': 'at-once' })));
    expect(new Set(together.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(fixture.model.calls('opinions')).toBeLessThanOrEqual(4);
    expect((await think({ ...asked, query: 'Another question?' }, key)).status).toBe(409);
  });

  test('makes an agent exist that was not there', async () => {
    expect((await think({ agent_id: 'fresh', query: 'Who are you?' })).body.based_on).toEqual([]);
    const { body } = await fixture.system.http.get('/api/agents');
    expect(body.agents.map(({ agent_id }: { agent_id: string }) => agent_id)).toContain('fresh');
  });
});

describe('a model that gives no answer', () => {
  const failures: readonly [string, ModelReply, number, string, RegExp][] = [
    ['refuses', { fault: 'refusal' }, 500, 'INTERNAL_ERROR', /refuse/],
    ['is kept from answering', { fault: 'content-filter' }, 500, 'INTERNAL_ERROR', /refuse|filter/i],
    ['says nothing', { fault: 'empty' }, 500, 'INTERNAL_ERROR', /empty/],
    ['wants another key', { fault: 'unauthorized' }, 500, 'INTERNAL_ERROR', /API key/],
    ['wants to be paid', { fault: 'quota' }, 500, 'INTERNAL_ERROR', /quota/],
    ['is unknown', { fault: 'not-found' }, 500, 'INTERNAL_ERROR', /does not know this model/],
    ['has failed', { fault: 'server-error' }, 503, 'UNAVAILABLE', /failed/],
    ['hangs up', { fault: 'disconnect' }, 503, 'UNAVAILABLE', /stand-in/],
    ['stalls', { fault: 'stall' }, 504, 'TIMEOUT', /no answer within/],
    ['stalls in the middle', { fault: 'stall-body' }, 504, 'TIMEOUT', /no answer within/],
  ];

  test.each(failures)('for it %s', async (_how, fault, status, code, message) => {
    fixture.model.replies.always('think', fault);
    const answer = await think(question);
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('sk-test');
    expect(answer.headers.get('retry-after') === null).toBe(status !== 503);
    expect(fixture.model.calls('opinions')).toBe(0);
  });

  test('now, says when it will', async () => {
    fixture.model.replies.always('think', { fault: 'rate-limit', retryAfter: '120' });
    const { status, headers } = await think(question);
    expect([status, headers.get('retry-after')]).toEqual([503, '120']);
  });

  test('at first, is asked again', async () => {
    fixture.model.replies.next('think', { fault: 'rate-limit', retryAfter: '1' }, 'She would.');
    expect((await think(question)).body).toMatchObject({ text: 'She would.' });
  });

  test('for it cannot embed the question, says so', async () => {
    fixture.model.replies.always('embed', { fault: 'server-error' });
    for (const path of ['/api/think', '/api/search']) {
      expect((await fixture.system.http.post(path, question)).body).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    }
  });
});

describe('opinions that cannot be formed', () => {
  test.each(['broken-json', 'stall'] as const)('leave the answer as it is: %s', async (fault) => {
    const before = await opinionsOf('alice');
    fixture.model.replies.next('think', 'She would.');
    fixture.model.replies.always('opinions', { fault });
    const { status, body } = await think(question);
    expect([status, body.text, body.new_opinions]).toEqual([200, 'She would.', []]);
    expect(await opinionsOf('alice')).toEqual(before);
  });

  test('at first, are formed from a repaired answer', async () => {
    fixture.model.replies.next('opinions', { fault: 'broken-json' }, oneOpinion('I believe that Ana is brave.'));
    expect((await think({ ...question, agent_id: 'repaired' })).body.new_opinions).toEqual([
      'I believe that Ana is brave.',
    ]);
  });
});
