import { defaultPersonality, memoryIngest, memoryQuery, type ThinkFactReply, WireError } from '@mneme/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';

const fact = (id: string, type: 'world' | 'opinion'): ThinkFactReply => {
  return { id, text: `text of ${id}`, type, activation: 0.5, context: null, event_date: '2024-03-01T09:30:00.000Z' };
};
const agent = { personality: defaultPersonality, background: '' };
const thought = {
  text: 'She would.',
  basedOn: [fact('u1', 'world'), fact('u2', 'opinion')],
  agent,
  readAt: 5,
  thinker: 'test',
  promptVersion: 'v1',
};
const recorded = { answer: 'She would.', basedOn: ['u1', 'u2'], newOpinions: ['I like it.'], position: 'MEMORY:7' };

const fixture = useGateway();
const { http } = fixture;
beforeEach(() => {
  fixture.services.answer(memoryQuery.think, () => thought);
  fixture.services.answer(memoryIngest.recordThought, () => recorded);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('POST /api/think', () => {
  it('with store: false records nothing', async () => {
    const asked = { query: 'Would she?', store: false };
    const { status, headers, body } = await http('POST', '/api/think', { body: asked });
    expect([status, headers['x-event-position']]).toEqual([200, undefined]);
    expect(body).toEqual({ text: 'She would.', based_on: thought.basedOn, new_opinions: [] });
    expect(fixture.services.requestsTo(memoryIngest.recordThought)).toEqual([]);
    expect((await http('POST', '/api/think', { body: { ...asked, store: 'no' } })).status).toBe(422);
  });

  it('sends a request with the defaults, records the answer, and replies when reads see it', async () => {
    const { status, headers, body } = await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect([status, headers['x-event-position']]).toEqual([200, 'MEMORY:7']);
    expect(body).toEqual({ text: 'She would.', based_on: thought.basedOn, new_opinions: ['I like it.'] });
    expect(fixture.asked(memoryQuery.think)[0]).toEqual({
      space: 'public',
      agentId: 'default',
      query: 'Would she?',
      context: null,
      thinkingBudget: 50,
    });
    expect(fixture.asked(memoryIngest.recordThought)[0]).toEqual({
      space: 'public',
      agentId: 'default',
      thoughtId: expect.stringMatching(/^[\da-f-]{36}$/),
      readAt: 5,
      query: 'Would she?',
      answer: 'She would.',
      basedOn: ['u1', 'u2'],
      knownOpinions: ['text of u2'],
      agent,
      thinker: 'test',
      promptVersion: 'v1',
    });
    expect(fixture.asked(memoryQuery.awaitPosition)[0]).toMatchObject({ sequence: 7 });
  });

  it('reports only opinions that were stored, and all that were recorded while this cannot be known', async () => {
    const newOpinions = ['I like it.', 'I love it.'];
    fixture.services.answer(memoryIngest.recordThought, () => ({ ...recorded, newOpinions }));
    fixture.services.answer(memoryQuery.storedOpinions, () => ({ texts: ['I love it.'] }));
    const { body } = await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect(body.new_opinions).toEqual(['I love it.']);
    expect(fixture.asked(memoryQuery.storedOpinions)[0]).toEqual({
      space: 'public',
      agentId: 'default',
      thoughtId: (fixture.asked(memoryIngest.recordThought)[0] as { thoughtId: string }).thoughtId,
      texts: newOpinions,
      minSequence: 7,
    });
    fixture.services.answer(memoryQuery.storedOpinions, () => {
      throw new WireError({ status: 503, code: 'UNAVAILABLE', message: 'away' });
    });
    const { body: unknown } = await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect(unknown.new_opinions).toEqual(newOpinions);
  });

  it.each([
    ['does not see the thought in time', () => ({ reached: false })],
    [
      'does not answer',
      () => {
        throw new WireError({ status: 503, code: 'UNAVAILABLE', message: 'away' });
      },
    ],
  ])('does not ask which opinions were stored while the read model %s', async (_why, answer) => {
    fixture.services.answer(memoryQuery.awaitPosition, answer);
    const { status, body } = await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect([status, body.new_opinions]).toEqual([200, ['I like it.']]);
    expect(fixture.services.requestsTo(memoryQuery.storedOpinions)).toEqual([]);
  });

  it('passes the question date with its offset, and refuses what is none', async () => {
    const asked = { query: 'Would she?', question_date: '2023-05-08 13:56+02:00' };
    expect((await http('POST', '/api/think', { body: asked })).status).toBe(200);
    expect(fixture.asked(memoryQuery.think)[0]).toMatchObject({
      questionDate: '2023-05-08T13:56:00.000+02:00',
    });
    const { status, body } = await http('POST', '/api/think', { body: { ...asked, question_date: 'someday' } });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('returns what was recorded first when an earlier run of the request had another result', async () => {
    fixture.services.answer(memoryIngest.recordThought, () => ({ ...recorded, answer: 'Yes.', basedOn: ['u1'] }));
    const { body } = await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect(body).toMatchObject({ text: 'Yes.', based_on: [{ id: 'u1' }] });
  });

  it('has the same thought id when the request is repeated with its key before there was an answer', async () => {
    fixture.services.answer(memoryIngest.recordThought, () => {
      throw new WireError({ status: 503, code: 'UNAVAILABLE', message: 'away' });
    });
    const options = { body: { query: 'Would she?' }, headers: { 'idempotency-key': 'one' } };
    for (const _try of [1, 2]) expect((await http('POST', '/api/think', options)).status).toBe(503);
    const ids = fixture.services.requestsTo(memoryIngest.recordThought).map(({ request }) => {
      return (request as { thoughtId: string }).thoughtId;
    });
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('waits no longer for the recording when the clock is set back while it thinks', async () => {
    const waitsMs: number[] = [];
    vi.useFakeTimers({ toFake: ['Date'] });
    fixture.services.answer(memoryQuery.think, (_request, { deadline }) => {
      waitsMs.push(deadline - Date.now());
      vi.setSystemTime(Date.now() - 60 * 60 * 1_000);
      return thought;
    });
    fixture.services.answer(memoryIngest.recordThought, (_request, { deadline }) => {
      waitsMs.push(deadline - Date.now());
      return recorded;
    });
    await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect(waitsMs[1]).toBeLessThanOrEqual(waitsMs[0] ?? 0);
  });

  it('passes on how long a model asks to wait', async () => {
    fixture.services.answer(memoryQuery.think, () => {
      throw new WireError({ status: 503, code: 'UNAVAILABLE', message: 'too many', extra: { retry_after: 90 } });
    });
    const { status, headers, body } = await http('POST', '/api/think', { body: { query: 'Would she?' } });
    expect([status, headers['retry-after'], body.retry_after]).toEqual([503, '90', undefined]);
  });
});

describe('POST /api/agents/{agent_id}/background', () => {
  const merged = { background: 'I sail.', personality: defaultPersonality, position: 'MEMORY:9' };
  beforeEach(() => fixture.services.answer(memoryIngest.addBackground, () => merged));

  it('updates the personality unless told otherwise', async () => {
    const { status, headers, body } = await http('POST', '/api/agents/a%2Fb/background', {
      body: { content: 'You sail.' },
    });
    expect([status, headers['x-event-position']]).toEqual([200, 'MEMORY:9']);
    expect(body).toEqual({ background: 'I sail.', personality: defaultPersonality });
    expect(fixture.asked(memoryIngest.addBackground)[0]).toEqual({
      space: 'public',
      agentId: 'a/b',
      content: 'You sail.',
      updatePersonality: true,
      mergeId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    const kept = await http('POST', '/api/agents/a/background', { body: { content: 'x', update_personality: false } });
    expect(kept.body).toEqual({ background: 'I sail.', personality: null });
  });
});
