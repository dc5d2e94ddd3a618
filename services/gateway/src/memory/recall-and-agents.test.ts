import {
  defaultPersonality,
  memoryIngest,
  memoryQuery,
  type SearchResult,
  type UnitList,
  WireError,
} from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { statsReply } from '../testing/memory-replies.ts';

const id = '0192f5c4-0000-7000-8000-000000000001';
const time = '2024-03-01T09:30:00.000Z';
const page = { total: 0, limit: 100, offset: 0 };
const profile = { agent_id: 'ana', personality: defaultPersonality, background: '' };
const notFound = (message: string) => () => {
  throw new WireError({ status: 404, code: 'NOT_FOUND', message });
};

const fixture = useGateway();
const { http } = fixture;

describe('POST /api/search', () => {
  const result: SearchResult = {
    id,
    text: 'Ana lives in Lisbon.',
    type: 'world',
    activation: 0.5,
    context: null,
    event_date: time,
    score: 0.9,
    document_id: null,
    entities: 'Ana (PERSON)',
  };

  it('sends the filters, and the agents instead of the default one', async () => {
    fixture.services.answer(memoryQuery.search, () => ({ results: [result], trace: null }));
    const filters = { document_id: 'd', since: '2024-01-01', until: '2024-02-01', limit: 3, types: ['world'] };
    const metadata = { a: 1, b: { in: ['x', 'y'] }, c: { exists: false } };
    const body = { query: 'Where is Ana?', agent_ids: ['ana', 'ben'], ...filters, metadata };
    expect((await http('POST', '/api/search', { body })).status).toBe(200);
    expect(fixture.asked(memoryQuery.search)[0]).toMatchObject({
      agentIds: ['ana', 'ben'],
      documentId: 'd',
      since: '2024-01-01T00:00:00.000Z',
      until: '2024-02-01T00:00:00.000Z',
      limit: 3,
      factTypes: ['world'],
      metadata: { a: { in: [1] }, b: { in: ['x', 'y'] }, c: { exists: false } },
    });
  });

  it('refuses metadata whose name no condition could have', async () => {
    const metadata = JSON.parse('{"__proto__": "v"}');
    const { status, body } = await http('POST', '/api/search', { body: { query: 'x', metadata } });
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'metadata', '__proto__']]);
    const items = [{ content: 'x', metadata }];
    expect((await http('POST', '/api/memories/batch', { body: { agent_id: 'ana', items } })).status).toBe(422);
  });

  it.each([
    ['1234567890123456789', false],
    ['-9007199254740993', false],
    ['9007199254740992.0', false],
    ['1e300', false],
    ['9007199254740991', true],
    ['-9007199254740991', true],
    ['0.1', true],
    ['"1234567890123456789"', true],
  ])('takes %s as metadata only if it can be kept exactly: %s', async (value, isTaken) => {
    const headers = { 'content-type': 'application/json' };
    const requests = [
      ['/api/memories/batch_async', `{"agent_id":"ana","items":[{"content":"x","metadata":{"id":${value}}}]}`],
      ['/api/search', `{"query":"x","metadata":{"id":${value}}}`],
      ['/api/search', `{"query":"x","metadata":{"id":{"in":["a",${value}]}}}`],
    ] as const;
    for (const [path, raw] of requests) {
      const { status, body } = await http('POST', path, { raw, headers });
      expect([path, status]).toEqual([path, isTaken ? 200 : 422]);
      if (isTaken) continue;
      const msg = 'Integers beyond 2^53 - 1 (9007199254740991) cannot be kept exactly; send them as strings';
      expect(body.detail).toMatchObject([{ loc: expect.arrayContaining(['metadata', 'id']), msg }]);
    }
  });

  it('keeps no answer about several agents, which could not be erased with each of them', async () => {
    fixture.services.answer(memoryQuery.search, () => ({ results: [result], trace: null }));
    const headers = { 'idempotency-key': 'of-several-agents' };
    for (let round = 0; round < 2; round += 1) {
      const sent = { body: { query: 'x', agent_ids: ['ana'] }, headers };
      expect((await http('POST', '/api/search', sent)).headers).not.toHaveProperty('idempotency-replayed');
    }
    expect(fixture.services.requestsTo(memoryQuery.search)).toHaveLength(2);
  });

  it('sends a request with the defaults and answers with the results', async () => {
    fixture.services.answer(memoryQuery.search, () => ({ results: [result], trace: null }));
    const { status, body } = await http('POST', '/api/search', { body: { query: 'Where is Ana?' } });
    expect([status, body]).toEqual([200, { results: [result], trace: null }]);
    expect(fixture.asked(memoryQuery.search)[0]).toEqual({
      space: 'public',
      agentId: 'default',
      query: 'Where is Ana?',
      factTypes: [],
      thinkingBudget: 100,
      minScore: null,
      maxTokens: 4096,
      reranker: 'heuristic',
      trace: false,
      questionDate: null,
    });
  });

  it('passes the question date with its offset, and each fact type once', async () => {
    const body = { query: 'x', question_date: '2023-05-08 13:56+02:00', fact_type: ['world', 'world', 'opinion'] };
    expect((await http('POST', '/api/search', { body })).status).toBe(200);
    expect(fixture.asked(memoryQuery.search)[0]).toMatchObject({
      questionDate: '2023-05-08T13:56:00.000+02:00',
      factTypes: ['world', 'opinion'],
    });
  });

  it.each([
    [{ fact_type: ['world', 'rumour'] }, "Invalid fact_type 'rumour'. Must be one of: world, agent, opinion"],
    [
      { question_date: 'someday' },
      "Invalid question_date 'someday'. Must be a date or date-time of ISO 8601, of the years 0001 to 9999 in UTC",
    ],
    [
      { question_date: '9999-12-31T23:59:59-14:00' },
      "Invalid question_date '9999-12-31T23:59:59-14:00'. Must be a date or date-time of ISO 8601, of the years 0001 to 9999 in UTC",
    ],
  ])('refuses %j with 400', async (more, message) => {
    const { status, body } = await http('POST', '/api/search', { body: { query: 'x', ...more } });
    expect([status, body.code, body.message]).toEqual([400, 'BAD_REQUEST', message]);
  });
});

describe('agent ids', () => {
  beforeEach(() => {
    fixture.services.answer(memoryIngest.ensureAgent, ({ agentId }) => ({
      profile: { ...profile, agent_id: agentId },
      position: null,
    }));
  });

  it.each([
    'a.b',
    'two words',
    '*',
    '>',
    'a/b',
    '🦜'.repeat(256),
    'ä'.repeat(256),
    '%',
    '?',
    '\u0000',
    '__proto__',
    '..a',
  ])('may be any characters: %j', async (agentId) => {
    const { status, body } = await http('GET', `/api/agents/${encodeURIComponent(agentId)}/profile`);
    expect([status, body.agent_id]).toEqual([200, agentId]);
    expect(fixture.asked(memoryIngest.ensureAgent)[0]).toEqual({ space: 'public', agentId });
  });

  it.each(['x'.repeat(257), 'x'.repeat(10_000), '🦜'.repeat(2_000)])(
    'of more than 256 characters are 422',
    async (agentId) => {
      const id = encodeURIComponent(agentId);
      for (const path of [`stats/${id}`, `operations/${id}`, `agents/${id}/profile`]) {
        const inPath = await http('GET', `/api/${path}`);
        expect(inPath.status).toBe(422);
        expect(inPath.body.detail).toMatchObject([{ loc: ['path', 'agent_id'], type: 'string_too_long' }]);
      }
      const inBody = await http('POST', '/api/search', { body: { query: 'x', agent_id: agentId } });
      expect(inBody.body.detail).toMatchObject([{ loc: ['body', 'agent_id'], type: 'string_too_long' }]);
    },
  );
});

describe('GET /api/list', () => {
  it('passes filters and page', async () => {
    const item: UnitList['items'][number] = {
      id,
      text: 'x',
      context: null,
      date: time,
      fact_type: 'world',
      entities: '',
    };
    fixture.services.answer(memoryQuery.listUnits, () => ({ items: [item], total: 1, limit: 1, offset: 2 }));
    const { status, body } = await http('GET', '/api/list?agent_id=ana&fact_type=world&q=a%20b&limit=1&offset=2');
    expect([status, body]).toEqual([200, { items: [item], total: 1, limit: 1, offset: 2 }]);
    expect(fixture.asked(memoryQuery.listUnits)[0]).toEqual({
      space: 'public',
      agentId: 'ana',
      factType: 'world',
      q: 'a b',
      limit: 1,
      offset: 2,
    });
  });

  it('requests the first 100 of everything by default', async () => {
    fixture.services.answer(memoryQuery.listUnits, () => ({ items: [], ...page }));
    await http('GET', '/api/list');
    expect(fixture.asked(memoryQuery.listUnits)[0]).toEqual({
      space: 'public',
      limit: 100,
      offset: 0,
    });
  });
});

describe('DELETE /api/memory/{unit_id}', () => {
  it('answers after reads see it', async () => {
    fixture.services.answer(memoryIngest.forgetUnit, () => ({ position: 'MEMORY:7' }));
    const { status, headers, body } = await http('DELETE', `/api/memory/${id.toUpperCase()}`);
    const message = 'Memory unit and all its links deleted successfully';
    expect([status, body]).toEqual([200, { success: true, unit_id: id, message }]);
    expect(headers['x-event-position']).toBe('MEMORY:7');
    expect(fixture.asked(memoryQuery.awaitPosition)[0]).toMatchObject({ sequence: 7 });
  });

  it('answers even while the read models are away, since the event is durable', async () => {
    fixture.services.answer(memoryIngest.forgetUnit, () => ({ position: 'MEMORY:7' }));
    await fixture.services.stop('memory-query');
    const { status } = await http('DELETE', `/api/memory/${id}`);
    await fixture.services.start('memory-query');
    expect(status).toBe(200);
  });

  it('is 404 for an unknown unit', async () => {
    fixture.services.answer(memoryIngest.forgetUnit, notFound('Memory unit not found'));
    const { status, body } = await http('DELETE', `/api/memory/${id}`);
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'Memory unit not found']);
  });

  it.each(['1', 'not-a-uuid', `${id}0`, `{${id}}`])('is 422 for %s', async (unitId) => {
    const { status, body } = await http('DELETE', `/api/memory/${encodeURIComponent(unitId)}`);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['path', 'unit_id'], type: 'uuid_parsing' }]);
  });
});

describe('agents', () => {
  it('are listed', async () => {
    const agents = [{ ...profile, created_at: time, updated_at: null }];
    fixture.services.answer(memoryQuery.listAgents, () => ({ agents, total: 1, next_cursor: null }));
    expect((await http('GET', '/api/agents')).body).toEqual({ agents, total: 1, next_cursor: null });
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toMatchObject([{ request: { limit: 100 } }]);
  });

  it('are listed in pages, by the beginning of their id', async () => {
    await http('GET', '/api/agents?limit=7&cursor=abc&prefix=an');
    const expected = { request: { space: 'public', limit: 7, cursor: 'abc', prefix: 'an' } };
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toMatchObject([expected]);
    for (const query of ['limit=0', 'limit=1001', `cursor=${'x'.repeat(1_025)}`, `prefix=${'x'.repeat(513)}`]) {
      expect((await http('GET', `/api/agents?${query}`)).status).toBe(422);
    }
  });

  it('are counted', async () => {
    const stats = { ...statsReply('ana'), total_nodes: 1, nodes_by_type: { world: 1 } };
    fixture.services.answer(memoryQuery.stats, () => stats);
    expect((await http('GET', '/api/stats/ana')).body).toEqual(stats);
  });

  it('are created when their profile is read', async () => {
    fixture.services.answer(memoryIngest.ensureAgent, () => ({ profile, position: 'MEMORY:1' }));
    const { status, headers, body } = await http('GET', '/api/agents/ana/profile');
    expect([status, headers['x-event-position'], body]).toEqual([200, 'MEMORY:1', profile]);
  });

  it('change only what is given', async () => {
    fixture.services.answer(memoryIngest.putAgent, () => ({ profile, position: 'MEMORY:2' }));
    expect((await http('PUT', '/api/agents/ana', { body: {} })).status).toBe(200);
    expect((await http('PUT', '/api/agents/ana', { body: { background: 'I sail', personality: null } })).status).toBe(
      200,
    );
    const personality = { ...defaultPersonality, openness: 1 };
    expect((await http('PUT', '/api/agents/ana/profile', { body: { personality } })).status).toBe(200);
    expect(fixture.asked(memoryIngest.putAgent)).toEqual([
      { space: 'public', agentId: 'ana', personality: null, background: null },
      { space: 'public', agentId: 'ana', personality: null, background: 'I sail' },
      { space: 'public', agentId: 'ana', personality, background: null },
    ]);
  });

  it.each([
    ['PUT', '/api/agents/ana/profile', {}, ['body', 'personality'], 'missing'],
    ['PUT', '/api/agents/ana/profile', { personality: {} }, ['body', 'personality', 'openness'], 'missing'],
    [
      ...(['PUT', '/api/agents/ana', { personality: { ...defaultPersonality, openness: 1.1 } }] as const),
      ...([['body', 'personality', 'openness'], 'less_than_equal'] as const),
    ],
    [
      ...(['PUT', '/api/agents/ana', { personality: { ...defaultPersonality, bias_strength: '1' } }] as const),
      ...([['body', 'personality', 'bias_strength'], 'float_type'] as const),
    ],
    [
      ...(['PUT', '/api/agents/ana/profile', { personality: { ...defaultPersonality, openness: -0.01 } }] as const),
      ...([['body', 'personality', 'openness'], 'greater_than_equal'] as const),
    ],
    ['PUT', '/api/agents/ana', { background: 5 }, ['body', 'background'], 'string_type'],
    ['PUT', '/api/agents/ana', undefined, ['body'], 'missing'],
  ])('%s %s with %j is 422', async (method, path, body, loc, type) => {
    const reply = await http(method, path, { body });
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0]).toMatchObject({ loc, type });
  });

  it('that others keep changing are 409', async () => {
    fixture.services.answer(memoryIngest.putAgent, () => {
      throw new WireError({ status: 409, code: 'CONFLICT', message: 'Changed at the same time' });
    });
    const { status, body } = await http('PUT', '/api/agents/ana', { body: {} });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });
});
