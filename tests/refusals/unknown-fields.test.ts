import { beforeAll, expect, test } from 'vitest';
import { createKey, keyOf, newPerson, type Person } from '../system/person.ts';
import { shareSystem } from '../system/shared-system.ts';

let person: Person;
beforeAll(async () => {
  const system = await shareSystem();
  person = await newPerson(system.http);
  return system.release;
});

const agent_id = 'strict';
const item = { content: 'Bob sings.' };
const traits = ['openness', 'conscientiousness', 'extraversion', 'agreeableness', 'neuroticism', 'bias_strength'];
const personality = Object.fromEntries(traits.map((trait) => [trait, 0.5]));

test.each([
  ['POST', '/api/search', { query: 'x', limt: 3 }, ['limt'], "Did you mean 'limit'?"],
  ['POST', '/api/search', { query: 'x', fact_types: ['world'] }, ['fact_types'], "Did you mean 'fact_type'?"],
  ['POST', '/api/search', { query: 'x', '': 1 }, [''], 'Known fields: query, fact_type, '],
  ['POST', '/api/think', { query: 'x', max_tokens: 5 }, ['max_tokens'], 'Known fields: query, agent_id, '],
  ['POST', '/api/memories/batch', { agent_id, items: [item], documentid: 'd' }, ['documentid'], "'document_id'?"],
  ['POST', '/api/memories/batch', { agent_id, document_id: 'd', items: [item], Mode: 'append' }, ['Mode'], "'mode'?"],
  [
    'POST',
    '/api/memories/batch_async',
    { agent_id, items: [{ ...item, eventDate: 1 }] },
    ['items', 0, 'eventDate'],
    "'event_date'?",
  ],
  ...(['batch', 'batch_async'] as const).flatMap((kind) =>
    (['document_id', 'agentId'] as const).map(
      (name) =>
        [
          'POST',
          `/api/memories/${kind}`,
          { agent_id, items: [item, { ...item, [name]: 'd' }] },
          ['items', 1, name],
          'is a field of the whole request',
        ] as const,
    ),
  ),
  ['PUT', `/api/agents/${agent_id}`, { background: 'x', personalty: null }, ['personalty'], "'personality'?"],
  [
    'PUT',
    `/api/agents/${agent_id}`,
    { personality: { ...personality, opennes: 1 } },
    ['personality', 'opennes'],
    "'openness'?",
  ],
  ['PUT', `/api/agents/${agent_id}/profile`, { personality, name: 'x' }, ['name'], 'Known fields: personality'],
  ['POST', `/api/agents/${agent_id}/background`, { content: 'x', text: 'y' }, ['text'], 'Known'],
] as const)('%s %s refuses %j and says what is known', async (method, path, body, loc, msg) => {
  const answer = await (method === 'PUT' ? person.http.put(path, body) : person.http.post(path, body));
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([
    { loc: ['body', ...loc], msg: expect.stringContaining(msg), type: 'extra_forbidden' },
  ]);
  expect((await person.http.get('/api/agents')).body.total).toBe(0);
});

test('an unknown field is named beside the other faults', async () => {
  const { status, body } = await person.http.post('/api/search', { querry: 'x', trace: 1 });
  expect([status, body.detail]).toMatchObject([
    422,
    [
      { loc: ['body', 'query'], type: 'missing' },
      { loc: ['body', 'trace'], type: 'bool_type' },
      { loc: ['body', 'querry'], type: 'extra_forbidden' },
    ],
  ]);
});

test('many unknown fields, and long ones, make a short answer', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, index]));
  const { body } = await person.http.post('/api/search', { query: 'x', ...many });
  expect(body.detail).toHaveLength(100);
  const long = await person.http.post('/api/search', { query: 'x', ['y'.repeat(1_000_000)]: 1 });
  expect([long.status, JSON.stringify(long.body).length < 1_000]).toEqual([422, true]);
});

test('in a batch an unknown field has no effect, and the response names it', async () => {
  const items = [item, { ...item, id: 'm1', tool_calls: [], model: 'a', agent_id: 'chat', document_id: null }];
  for (const kind of ['batch', 'batch_async']) {
    const { status, headers } = await person.http.post(`/api/memories/${kind}`, { agent_id: 'chat', items, colour: 1 });
    expect([status, headers.get('mneme-ignored-fields')]).toEqual([
      200,
      'items.1.id, items.1.tool_calls, items.1.model, items.1.agent_id, items.1.document_id, colour',
    ]);
  }
});

test('in the management area an unknown field has no effect, and the response names it', async () => {
  const { http, projectId } = person;
  const key = { name: 'A key', project_id: projectId };
  const created = await http.post('/api/v3/api-keys', { ...key, user_id: 5, 'x\r\ny, é': 1 });
  expect([created.status, created.headers.get('mneme-ignored-fields')]).toEqual([201, 'user_id, x%0D%0Ay%2C%20%C3%A9']);
  expect((await keyOf(person, created.body.id)).user_id).toBe(person.userId);
  const whole = { ...(await keyOf(person, created.body.id)), project_id: projectId };
  const updated = await http.patch(`/api/v3/api-keys/${created.body.id}`, {
    ...whole,
    name: 'Renamed',
    expires_at: null,
  });
  expect([updated.status, updated.body.name]).toEqual([200, 'Renamed']);
  expect(updated.headers.get('mneme-ignored-fields')?.split(', ')).toContain('request_count');
  const hook = await http.post(`/api/v3/projects/${projectId}/webhooks`, {
    name: 'Orders',
    secret: 'x',
    verification: { type: 'none', kind: 1 },
  });
  expect([hook.status, hook.headers.get('mneme-ignored-fields')]).toEqual([201, 'secret, verification.kind']);
  const clean = await createKey(person);
  expect(clean.name).toBe('A key');
  expect((await http.post('/api/v3/api-keys', key)).headers.get('mneme-ignored-fields')).toBeNull();
});

test('a key that is bound to an agent searches no other agents', async () => {
  const { key } = await createKey(person, { agent_id: 'mine' });
  const bound = person.http.as(key);
  const search = (agent_ids: string[]) => bound.post('/api/search', { query: 'x', agent_ids });
  expect((await search(['mine'])).status).toBe(200);
  expect((await search(['mine', 'yours'])).status).toBe(403);
});

test('a misspelt parameter of a query string is refused, and another unknown one is named', async () => {
  const { http, projectId } = person;
  for (const [path, meant] of [
    ['/api/list?agentId=strict', 'agent_id'],
    [`/api/v3/api-keys?project_id=${projectId}&Limit=1`, 'limit'],
  ] as const) {
    const { status, body } = await http.get(path);
    expect([path, status, body.detail?.[0].msg]).toEqual([path, 422, expect.stringContaining(`'${meant}'?`)]);
  }
  const { status, headers } = await http.get(`/api/v3/api-keys?project_id=${projectId}&_=1`);
  expect([status, headers.get('mneme-ignored-fields')]).toEqual([200, '_']);
});
