import type { SearchReply } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  const items = [
    { content: 'Alice moved to Lisbon.', event_date: '2024-05-01T10:00:00Z', context: 'chat' },
    { content: 'The assistant sent the report to Bob.', event_date: '2024-05-02T10:00:00Z' },
    { content: 'I think that Lisbon is a wonderful city.', event_date: '2024-05-03T10:00:00Z' },
  ];
  await http.post('/api/memories/batch', { agent_id: 'seeker', items, document_id: 'diary' });
  return system.release;
});

/** Asked at one moment, since what is near to it counts for more. */
const search = (body: object) => {
  return http.post<SearchReply>('/api/search', { question_date: '2024-06-01', ...body });
};

test('a result has the fields of the specification and ours', async () => {
  const { status, body } = await search({ agent_id: 'seeker', query: 'Where did Alice move to?' });
  expect(status).toBe(200);
  expect(body.trace).toBeNull();
  expect(body.results[0]).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    text: 'Alice moved to Lisbon.',
    type: 'world',
    activation: expect.any(Number),
    context: 'chat',
    event_date: '2024-05-01T10:00:00.000Z',
    score: expect.any(Number),
    relevance: 'high',
    document_id: 'diary',
    entities: expect.stringMatching(/Alice \(PERSON\), Lisbon \(PLACE\)|Lisbon \(PLACE\), Alice \(PERSON\)/),
  });
  for (const { activation, score } of body.results) {
    for (const value of [activation, score]) expect(value).toBeGreaterThanOrEqual(0);
    for (const value of [activation, score]) expect(value).toBeLessThanOrEqual(1);
  }
  const scores = body.results.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
});

test.each([{ fact_type: ['world'] }, { fact_type: ['agent'] }, { fact_type: ['agent', 'opinion'] }])(
  'only facts of the types $fact_type are found',
  async ({ fact_type }) => {
    const { body } = await search({ agent_id: 'seeker', query: 'Lisbon report', fact_type });
    expect(new Set(body.results.map(({ type }) => type))).toEqual(new Set(fact_type));
  },
);

test.each([{ fact_type: null }, { fact_type: [] }])('fact_type $fact_type means all three', async ({ fact_type }) => {
  const { body } = await search({ agent_id: 'seeker', query: 'Lisbon report', fact_type });
  expect(body.results).toHaveLength(3);
});

test('min_score turns the usual cut off, and leaves out what scores less', async () => {
  const off = { agent_id: 'seeker', query: 'Which gearbox oil does the old red tractor need for a report?' };
  const usual = await search(off);
  const all = await search({ ...off, min_score: 0 });
  expect(all.body.results.length).toBeGreaterThan(usual.body.results.length);
  const [best] = all.body.results;
  const good = await search({ ...off, min_score: best?.score });
  expect(good.body.results.length).toBeLessThan(all.body.results.length);
  expect(good.body.results).not.toEqual([]);
  expect(good.body.results.every(({ score }) => score >= (best?.score ?? 0))).toBe(true);
  const { status } = await http.post('/api/search', { ...off, min_score: 1.5 });
  expect(status).toBe(422);
});

test.each(['heuristic', 'none'])(
  'min_score 0 returns also what has nothing in common with the question, last (%s)',
  async (reranker) => {
    const unrelated = { agent_id: 'seeker', query: 'Zyx qwv?', reranker };
    expect((await search(unrelated)).body.results).toEqual([]);
    const stored = (await http.get('/api/list?agent_id=seeker')).body.total;
    expect((await search({ ...unrelated, min_score: 0 })).body.results).toHaveLength(stored);
    const { results } = (await search({ agent_id: 'seeker', query: 'Lisbon', reranker, min_score: 0 })).body;
    expect(results).toHaveLength(stored);
    expect(results.map(({ score }) => score)).toEqual(
      results.map(({ score }) => score).sort((one, other) => other - one),
    );
    expect((await search({ ...unrelated, min_score: 0, limit: 2 })).body.results).toHaveLength(2);
  },
);

test('a trace tells how the results were found', async () => {
  const { body } = await search({ agent_id: 'seeker', query: 'Lisbon', trace: true });
  expect(body.trace).toMatchObject({ query: 'Lisbon', num_results: body.results.length });
  expect(body.trace?.time_seconds).toBeGreaterThan(0);
  for (const key of ['retrieval', 'entry_points', 'visits', 'pruned', 'reranked', 'phases']) {
    expect(body.trace).toHaveProperty(key);
  }
});

test.each(['', ' ', '!?', '\u0000', '*', '日本', '🦊', 'x'.repeat(8_000), "'; DROP", '{"$ne":1}'].entries().toArray())(
  'an odd query is answered (%i)',
  async (_index, query) => {
    const { status, body } = await search({ agent_id: 'seeker', query });
    expect(status).toBe(200);
    expect(Array.isArray(body.results)).toBe(true);
  },
);

test('a reranker that is not configured is replaced, and the trace says so', async () => {
  const { body } = await search({ agent_id: 'seeker', query: 'Lisbon', reranker: 'cross-encoder', trace: true });
  expect(body.trace?.reranker).toEqual({
    asked: 'cross-encoder',
    used: 'heuristic',
    reason: 'RERANK_URL is not set',
  });
});

test('an agent that does not exist has no results, and does not exist afterwards', async () => {
  const { status, body } = await search({ agent_id: 'nobody', query: 'Lisbon' });
  expect(status).toBe(200);
  expect(body).toEqual({ results: [], trace: null });
  const { body: agents } = await http.get('/api/agents');
  expect(agents.agents.map(({ agent_id }: { agent_id: string }) => agent_id)).toEqual(['seeker']);
});

test('without agent_id the agent is `default`', async () => {
  await http.post('/api/memories/batch', { agent_id: 'default', items: [{ content: 'Dana paints doors.' }] });
  const { body } = await search({ query: 'Who paints doors?' });
  expect(body.results.map(({ text }) => text)).toEqual(['Dana paints doors.']);
});

test('what an agent finds, and how much of it, does not change with what others store', async () => {
  const told = [
    'The wine is in the cellar.',
    'The cellar door is red.',
    'We painted the door.',
    'The goat has a bell.',
  ];
  const notes = Array.from({ length: 60 }, (_, index) => `Note ${index} is about the wine of hill ${index}.`);
  const items = [...told, ...notes].map((content) => ({ content }));
  await http.post('/api/memories/batch', { agent_id: 'shepherd', items, document_id: 'farm' });
  const queries = ['Which wines go with venison?', 'Which colour has the door of the cellar?', 'wine of hill 7'];
  const answers = async () => {
    const all = await Promise.all(queries.map((query) => search({ agent_id: 'shepherd', query })));
    return all.map(({ body }) => body.results.map(roundedScores));
  };
  const before = await answers();
  const others = Array.from({ length: 400 }, (_, index) => ({
    content: `Train ${index} of the door waits on track ${index}.`,
  }));
  await http.post('/api/memories/batch', { agent_id: 'signalman', items: others });
  expect(await answers()).toEqual(before);
});

/** Qdrant computes scores in single precision, of which the last bits may change when its segments do. */
function roundedScores<R extends { readonly score: number; readonly activation: number | null }>(result: R) {
  const digits = 6;
  return { ...result, score: result.score.toFixed(digits), activation: result.activation?.toFixed(digits) };
}
