import type { SearchReply } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

/** All of them have more in common with the question than what is looked for. */
const others = scaled({ full: 5_000, short: 300 });

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  const items = [
    { content: 'Crate A holds lemons.', metadata: { shelf: 'top', tags: ['fruit', 'yellow'], n: 1, left: null } },
    { content: 'Crate B holds limes.', metadata: { shelf: 'low', tags: ['fruit'], n: 2 } },
    { content: 'Crate D holds flour.', event_date: '2020-05-01T00:00:00.500Z' },
    { content: 'I booked the crate of lemons.', role: 'assistant', metadata: { shelf: 'top' } },
  ];
  const dated = items.map((item) => ({ event_date: '2024-05-01T10:00:00Z', ...item }));
  await http.post('/api/memories/batch', { agent_id: 'keeper', items: dated, document_id: 'cellar' });
  for (let start = 0; start < others; start += 500) {
    const noise = Array.from({ length: Math.min(500, others - start) }, (_, index) => ({
      content: `Where are the lemons? The lemons in crate ${start + index}!`,
      event_date: '2024-06-01T10:00:00Z',
    }));
    await http.post('/api/memories/batch', { agent_id: 'keeper', items: noise, document_id: `noise-${start}` });
  }
  await http.post('/api/memories/batch', { agent_id: 'porter', items: [{ content: 'The lemons are in the hall.' }] });
  return system.release;
}, 300_000);

const query = 'Where are the lemons?';
const search = (body: object) =>
  http.post<SearchReply>('/api/search', {
    agent_id: 'keeper',
    query,
    question_date: '2024-07-01',
    min_score: 0,
    ...body,
  });
const texts = async (body: object) => (await search(body)).body.results.map(({ text }) => text).sort();

const [a, b, d, booked] = [
  'Crate A holds lemons.',
  'Crate B holds limes.',
  'Crate D holds flour.',
  'I booked the crate of lemons.',
] as const;

test.each([
  [{ document_id: 'cellar' }, [a, b, d, booked]],
  [{ document_id: 'nothing' }, []],
  [{ until: '2024-05-01T10:00:00Z' }, [d]],
  [{ since: '2024-05-01', until: '2024-05-01T12:00:00.001+02:00' }, [a, b, booked]],
  [{ since: '2020-05-01T00:00:00.500Z', until: '2020-05-01T00:00:00.501Z' }, [d]],
  [{ since: '2020-05-01T00:00:00.501Z', until: '2020-05-02' }, []],
  [{ metadata: { shelf: 'top' } }, [a, booked]],
  [{ metadata: { shelf: 'top', n: 1 } }, [a]],
  [{ metadata: { n: '1' } }, []],
  [{ metadata: { left: null } }, [a]],
  [{ metadata: { tags: 'fruit' } }, [a, b]],
  [{ metadata: { tags: { in: ['yellow', 'red'] } } }, [a]],
  [{ metadata: { shelf: { in: ['top', 'low'] }, tags: { exists: false } } }, [booked]],
  [{ metadata: { n: { exists: true } } }, [a, b]],
  [{ metadata: { n: { exists: false } }, document_id: 'cellar' }, [d, booked]],
  [{ metadata: {}, document_id: 'cellar', types: ['agent'] }, [booked]],
  [{ metadata: { shelf: 'top' }, fact_type: ['world'] }, [a]],
])('%j finds what fits, though many others match better', async (filter, expected) => {
  expect(await texts(filter)).toEqual([...expected].sort());
});

test('a filtered search with the usual cut finds what fits too', async () => {
  const { body } = await search({ min_score: null, metadata: { shelf: 'top' } });
  expect(body.results.map(({ text }) => text)).toContain(a);
});

test('limit cuts after the best', async () => {
  const all = await search({ document_id: 'cellar' });
  for (const limit of [1, 3]) {
    const { body } = await search({ document_id: 'cellar', limit });
    expect(body.results).toEqual(all.body.results.slice(0, limit));
  }
});

test('several agents are searched at once, and the results say whose they are', async () => {
  const asked = { query, min_score: 0, agent_ids: ['keeper', 'porter', 'nobody', 'porter'], thinking_budget: 20 };
  const { status, body } = await http.post<SearchReply>('/api/search', { ...asked, limit: 21, trace: true });
  expect(status).toBe(200);
  const agents = body.results.map(({ agent_id }) => agent_id);
  expect(new Set(agents)).toEqual(new Set(['keeper', 'porter']));
  expect(agents.filter((agent) => agent === 'porter')).toHaveLength(1);
  const scores = body.results.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
  expect(body.trace?.num_results).toBe(body.results.length);
  const alone = await http.post<SearchReply>('/api/search', { query, min_score: 0, agent_id: 'porter' });
  expect(alone.body.results[0]).not.toHaveProperty('agent_id');
  const filtered = await http.post<SearchReply>('/api/search', { ...asked, metadata: { n: 1 } });
  expect(filtered.body.results.map(({ text, agent_id }) => [text, agent_id])).toEqual([[a, 'keeper']]);
});

test('a question takes the same filters', async () => {
  const think = (body: object) =>
    http.post('/api/think', { agent_id: 'keeper', query: 'What does crate B hold?', ...body });
  const basis = async (body: object) => (await think(body)).body.based_on.map(({ text }: { text: string }) => text);
  expect(await basis({ metadata: { shelf: 'low' } })).toEqual([b]);
  expect(await basis({ document_id: 'nothing' })).toEqual([]);
  expect((await think({ since: '2024-01-02', until: '2024-01-01' })).status).toBe(422);
});

test.each([
  [{ limit: 0 }, ['limit'], 'greater than or equal to 1'],
  [{ limit: 1_001 }, ['limit'], 'less than or equal to 1000'],
  [{ limit: '3' }, ['limit'], 'valid integer'],
  [{ since: 'yesterday' }, ['since'], 'ISO 8601'],
  [{ since: '2024-01-02', until: '2024-01-02' }, ['until'], 'later than `since`'],
  [{ types: ['rumour'] }, ['types', 0], "'world', 'agent' or 'opinion'"],
  [{ types: ['world'], fact_type: ['world'] }, ['types'], 'either fact_type or types'],
  [{ document_id: '' }, ['document_id'], 'at least 1 character'],
  [{ metadata: { a: { in: [] } } }, ['metadata', 'a'], '1 to 100 values'],
  [{ metadata: { a: { in: ['x'], exists: true } } }, ['metadata', 'a'], '{"exists": true or false}'],
  [{ metadata: { a: { gt: 1 } } }, ['metadata', 'a'], '{"in": [values]}'],
  [{ metadata: { a: ['x'] } }, ['metadata', 'a'], '{"in": [values]}'],
  [{ metadata: 'shelf' }, ['metadata'], 'valid dictionary'],
  [{ agent_id: undefined, agent_ids: [] }, ['agent_ids'], 'at least 1 item'],
  [{ agent_id: undefined, agent_ids: Array(9).fill('a') }, ['agent_ids'], 'at most 8 items'],
  [{ agent_ids: ['keeper'] }, ['agent_ids'], 'either agent_id or agent_ids'],
])('%j is 422, and the message says why', async (bad, loc, msg) => {
  const { status, body } = await http.post('/api/search', { agent_id: 'keeper', query, ...bad });
  expect(status).toBe(422);
  expect(body.detail).toMatchObject([{ loc: ['body', ...loc], msg: expect.stringContaining(msg) }]);
});
