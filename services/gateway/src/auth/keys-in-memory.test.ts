import { defaultPersonality, memoryIngest, memoryQuery, memoryRoutes, scopeOf } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { Reply } from '../testing/http-request.ts';
import { erasedReply, operationReply, statsReply } from '../testing/memory-replies.ts';

const id = '0192f5c4-0000-7000-8000-000000000001';
const operation = operationReply({ status: 'failed' });
const profile = { agent_id: 'ana', personality: defaultPersonality, background: '' };
const thought = { text: 'Yes.', basedOn: [], agent: profile, readAt: 5, thinker: 'test', promptVersion: 'v1' };
const recorded = { answer: 'Yes.', basedOn: [], newOpinions: ['I like it.'], position: 'MEMORY:7' };
const merged = { background: 'x', personality: defaultPersonality, position: 'MEMORY:7' };
const document = {
  id: 'd',
  agent_id: 'ana',
  original_text: 'x',
  content_hash: null,
  memory_unit_count: 0,
  created_at: operation.created_at,
  updated_at: operation.created_at,
};
const unit = {
  id,
  agent_id: 'ana',
  text: 'x',
  context: null,
  date: operation.created_at,
  fact_type: 'world' as const,
  entities: [],
  confidence: null,
  mentions: 1,
  document: null,
  links: [],
  has_more_links: false,
  origin: null,
  history: [],
  opinion: null,
};
const page = { items: [], total: 0, limit: 100, offset: 0 };

const fixture = useGateway();
beforeEach(() => {
  const { answer } = fixture.services;
  answer(memoryQuery.listUnits, () => page);
  answer(memoryQuery.listDocuments, () => page);
  answer(memoryQuery.getDocument, () => document);
  answer(memoryQuery.graph, () => ({ nodes: [], edges: [], table_rows: [], total_units: 0 }));
  answer(memoryQuery.stats, ({ agentId }) => statsReply(agentId));
  answer(memoryQuery.listOperations, ({ agentId }) => ({ agent_id: agentId, operations: [] }));
  answer(memoryQuery.operationStatus, () => operation);
  answer(memoryQuery.think, () => thought);
  answer(memoryQuery.awaitErasure, () => ({ isDone: true }));
  answer(memoryQuery.awaitOperation, () => ({
    settled: true,
    position: null,
    operation: operationReply({ status: 'completed' }),
  }));
  answer(memoryIngest.cancelOperation, () => ({ agentId: 'ana', position: null }));
  answer(memoryIngest.retryOperation, () => ({ position: 'MEMORY:5' }));
  answer(memoryQuery.getUnit, () => unit);
  answer(memoryQuery.opinionHistory, () => {
    return { unit_id: id, agent_id: 'ana', text: 'x', confidence: null, steps: [], has_more: false };
  });
  answer(memoryIngest.correctUnit, () => ({ agentId: 'ana', position: null }));
  answer(memoryIngest.forgetUnit, () => ({ position: null }));
  answer(memoryIngest.deleteDocument, () => ({ unitsDeleted: 0, position: null }));
  answer(memoryIngest.ensureAgent, () => ({ profile, position: null }));
  answer(memoryIngest.putAgent, () => ({ profile, position: null }));
  answer(memoryIngest.addBackground, () => merged);
  answer(memoryIngest.recordThought, () => recorded);
  answer(memoryIngest.eraseAgent, () => erasedReply);
});

type Name = keyof typeof memoryRoutes;
type AgentRequest = (agent: string) => [path: string, body?: unknown];
const items = [{ content: 'x' }];

/** A request to each route: about an agent, about something of an agent by its id, or about all agents. */
const requests: Record<Name, AgentRequest> = {
  putBatch: (agent) => ['/api/memories/batch', { agent_id: agent, items }],
  putBatchAsync: (agent) => ['/api/memories/batch_async', { agent_id: agent, items }],
  search: (agent) => ['/api/search', { agent_id: agent, query: 'x' }],
  think: (agent) => ['/api/think', { agent_id: agent, query: 'x' }],
  listUnits: (agent) => [`/api/list?agent_id=${agent}`],
  graph: (agent) => [`/api/graph?agent_id=${agent}`],
  stats: (agent) => [`/api/stats/${agent}`],
  listDocuments: (agent) => [`/api/documents?agent_id=${agent}`],
  getDocument: (agent) => [`/api/documents/d?agent_id=${agent}`],
  deleteDocument: (agent) => [`/api/documents/d?agent_id=${agent}`],
  listOperations: (agent) => [`/api/operations/${agent}`],
  putAgent: (agent) => [`/api/agents/${agent}`, {}],
  eraseAgent: (agent) => [`/api/agents/${agent}`],
  getProfile: (agent) => [`/api/agents/${agent}/profile`],
  putProfile: (agent) => [`/api/agents/${agent}/profile`, { personality: defaultPersonality }],
  addBackground: (agent) => [`/api/agents/${agent}/background`, { content: 'x' }],
  getUnit: () => [`/api/memory/${id}`],
  opinionHistory: () => [`/api/opinions/${id}/history`],
  correctUnit: () => [`/api/memory/${id}`, { text: 'x' }],
  forgetUnit: () => [`/api/memory/${id}`],
  cancelOperation: () => [`/api/operations/${id}`],
  retryOperation: () => [`/api/operations/${id}/retry`],
  operationStatus: () => [`/api/operations/${id}/status`],
  listAgents: () => ['/api/agents'],
};
const names = Object.keys(requests) as Name[];
const byId: readonly Name[] = [
  'getUnit',
  'opinionHistory',
  'correctUnit',
  'forgetUnit',
  'cancelOperation',
  'retryOperation',
  'operationStatus',
];

function send(key: string, name: Name, [path, body]: ReturnType<AgentRequest>): Promise<Reply> {
  return fixture.http(memoryRoutes[name].method.toUpperCase(), path, { body, headers: { 'x-api-key': key } });
}

function requestsToAll() {
  return [memoryIngest, memoryQuery].flatMap((endpoints) =>
    Object.values(endpoints).flatMap((endpoint) => fixture.services.requestsTo(endpoint as never)),
  );
}

describe('the scopes of a key', () => {
  it.each(names)('are checked by %s, which names the missing one', async (name) => {
    const needed = scopeOf(memoryRoutes[name]);
    for (const scopes of [
      [],
      ['memory', 'read', 'MEMORY:WRITE', 'memory:*', 'memory:read ', ' *', '**'],
      ...(needed === 'memory:write' ? [['memory:read']] : []),
    ]) {
      const { status, headers, body } = await send(
        await fixture.records.issueKey({ scopes }),
        name,
        requests[name]('ana'),
      );
      expect(headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${needed}"`);
      expect([status, body.code, body.message]).toEqual([403, 'FORBIDDEN', `The key lacks the scope ${needed}`]);
    }
    expect(requestsToAll()).toEqual([]);
    for (const scope of [needed, 'memory:write', '*']) {
      const { status } = await send(
        await fixture.records.issueKey({ scopes: ['other', scope] }),
        name,
        requests[name]('ana'),
      );
      expect(status).toBe(200);
    }
  });

  it('are checked before the body', async () => {
    const key = await fixture.records.issueKey({ scopes: ['memory:read'] });
    const headers = { 'x-api-key': key, 'content-type': 'text/plain' };
    expect((await fixture.http('POST', '/api/memories/batch', { raw: 'x', headers })).status).toBe(403);
  });

  it('that only allow reading let an agent think, but store nothing', async () => {
    const reader = await fixture.records.issueKey({ scopes: ['memory:read'] });
    const { body } = await send(reader, 'think', requests.think('ana'));
    expect(body).toEqual({ text: 'Yes.', based_on: [], new_opinions: [] });
    expect(fixture.services.requestsTo(memoryIngest.recordThought)).toEqual([]);
    const writer = await fixture.records.issueKey({ scopes: ['memory:write'] });
    expect((await send(writer, 'think', requests.think('ana'))).body.new_opinions).toEqual(['I like it.']);
  });
});

describe('a key that is bound to an agent', () => {
  const boundKey = (agentId: string | number = 'ana') => fixture.records.issueKey({ agentId });

  it.each(names.filter((name) => ![...byId, 'listAgents'].includes(name)))(
    'may not do %s with another',
    async (name) => {
      const key = await boundKey();
      const head = await fixture.store.head();
      for (const agent of ['bob', 'Ana', 'ana%20', 'default']) {
        const { status, body } = await send(key, name, requests[name](agent));
        expect([agent, status, body.code]).toEqual([agent, 403, 'FORBIDDEN']);
      }
      expect(requestsToAll()).toEqual([]);
      expect(await fixture.store.head()).toBe(head);
      expect((await send(key, name, requests[name]('ana'))).status).toBe(200);
    },
  );

  it.each(byId)('does %s only for its own agent, which the owning service decides', async (name) => {
    const request = requests[name]('');
    expect((await send(await boundKey(), name, request)).status).toBe(200);
    const asked = requestsToAll().filter(({ name: subject }) => !subject.endsWith('await-position'));
    expect(asked.length).toBeGreaterThan(0);
    for (const { request } of asked) expect(request).toMatchObject({ space: '5', onlyAgent: 'ana' });
    fixture.services.reset();
  });

  it('sees only that agent in lists of all agents', async () => {
    const key = await boundKey();
    for (const path of ['/api/list', '/api/graph', '/api/agents']) {
      expect((await fixture.http('GET', path, { headers: { 'x-api-key': key } })).status).toBe(200);
    }
    expect(requestsToAll().map(({ request }) => request)).toMatchObject(Array(3).fill({ space: '5', agentId: 'ana' }));
  });

  it.each(['agent_ids=', 'agent_ids=bob', 'agent_ids=ana&agent_ids=bob', 'agent=bob', 'agent_id%00=bob'])(
    'sees only that agent whatever else the request says: %s',
    async (more) => {
      const headers = { 'x-api-key': await boundKey() };
      for (const path of ['/api/list', '/api/graph', '/api/documents']) {
        const { status } = await fixture.http('GET', `${path}?${more}`, { headers });
        expect([path, [200, 403, 422].includes(status)]).toEqual([path, true]);
      }
      for (const { request } of requestsToAll()) expect(request).toMatchObject({ space: '5', agentId: 'ana' });
      fixture.services.reset();
    },
  );

  it.each(['/api/search', '/api/think'])('means that agent when %s names none', async (path) => {
    for (const [agentId, name] of [
      ['ana', 'ana'],
      [7, '7'],
    ] as const) {
      const headers = { 'x-api-key': await boundKey(agentId) };
      expect((await fixture.http('POST', path, { body: { query: 'x' }, headers })).status).toBe(200);
      const asked = requestsToAll().findLast(({ request }) => Object.hasOwn(request as object, 'thinkingBudget'));
      expect(asked?.request).toMatchObject({ space: '5', agentId: name });
      const named = await fixture.http('POST', path, { body: { query: 'x', agent_id: 'default' }, headers });
      expect(named.status).toBe(403);
    }
  });

  it('means that agent also where other callers have to name one', async () => {
    const headers = { 'x-api-key': await boundKey() };
    expect((await fixture.http('GET', '/api/documents', { headers })).status).toBe(200);
    expect((await fixture.http('GET', '/api/documents/d', { headers })).status).toBe(200);
    for (const { request } of requestsToAll()) expect(request).toMatchObject({ space: '5', agentId: 'ana' });
    const batch = await fixture.http('POST', '/api/memories/batch', { body: { items: [] }, headers });
    expect([batch.status, batch.body.agent_id]).toEqual([200, 'ana']);
    const free = { 'x-api-key': await fixture.records.issueKey({}) };
    expect((await fixture.http('GET', '/api/documents', { headers: free })).status).toBe(422);
    for (const body of [[], 'x', null]) {
      expect((await fixture.http('POST', '/api/memories/batch', { body, headers })).status).toBe(422);
    }
  });

  it('may be bound to a number, which means the agent of that name', async () => {
    const key = await boundKey(7);
    expect((await send(key, 'stats', requests.stats('7'))).status).toBe(200);
    expect((await send(key, 'search', requests.search('7'))).status).toBe(200);
    expect((await send(key, 'stats', requests.stats('07'))).status).toBe(403);
  });
});

it('a user and an anonymous caller are bound to no agent', async () => {
  expect((await fixture.http('GET', '/api/agents')).status).toBe(200);
  expect(fixture.asked(memoryQuery.listAgents)[0]).toEqual({
    space: 'public',
    limit: 100,
    counts: false,
  });
});
