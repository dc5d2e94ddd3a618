import type { SearchReply } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

let http: HttpClient;
const agent_id = 'pictured';
const talk = [
  'Mona: Where did Ana go last spring?',
  'Ana: I moved to Lisbon and rented a flat by the river.',
  'Mona: Lisbon has such good weather.',
  'Ana: The flat has a balcony with lemon trees.',
  'Mona: I might visit you in Lisbon in June.',
];
const picture = async (more: object = {}) => {
  const { body } = await http.post<SearchReply>('/api/search', {
    agent_id,
    query: 'When did Ana move to Lisbon?',
    trace: true,
    ...more,
  });
  return { results: body.results, trace: body.trace, drawn: body.trace?.picture };
};
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  const items = talk.map((content) => ({ content }));
  await http.post('/api/memories/batch', { agent_id, document_id: 'talk', items });
  const others = Array.from({ length: 30 }, (_, index) => ({ content: `Ana wrote report ${index} about Lisbon.` }));
  await http.post('/api/memories/batch', { agent_id, items: others });
  return system.release;
});

test('says of each result which methods found it, with rank and score', async () => {
  const { results, trace, drawn } = await picture();
  expect(drawn?.found_by.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
  const [best] = drawn?.found_by ?? [];
  expect(best?.methods.map(({ method }) => method)).toEqual(expect.arrayContaining(['lexical', 'dense']));
  for (const { id, methods } of drawn?.found_by ?? []) {
    for (const { method, rank, score } of methods.filter((each) => each.method !== 'passages')) {
      expect(trace?.retrieval[method]?.[rank - 1]).toEqual({ id, score });
    }
  }
});

test('says how activation spread, so that what came from others adds up', async () => {
  const { trace, drawn } = await picture();
  expect(drawn?.is_complete).toBe(true);
  expect(drawn?.steps.map(({ name }) => name)).toEqual(['match', 'neighbours', 'documents', 'links']);
  const parts = new Map(trace?.reranked.map(({ id, parts }) => [id, parts]));
  const part = { match: ['own', 'passage'], neighbours: ['neighbours'], documents: ['document'], links: ['links'] };
  for (const { name, units } of drawn?.steps ?? []) {
    expect([name, units.length > 0]).toEqual([name, true]);
    for (const { id, added, from } of units) {
      const whole = part[name].reduce((sum, key) => sum + (parts.get(id)?.[key] ?? Number.NaN), 0);
      if (parts.has(id)) expect(added).toBeCloseTo(whole, 9);
      const passed = from.reduce((sum, { amount }) => sum + amount, 0);
      expect(passed).toBeCloseTo(name === 'match' ? 0 : added, 9);
    }
  }
});

test('has the order after each stage', async () => {
  const { results, trace, drawn } = await picture();
  const stages = Object.fromEntries(drawn?.stages.map(({ name, ids }) => [name, ids]) ?? []);
  expect(Object.keys(stages)).toEqual(['activation', 'rerank', 'results']);
  expect(stages.results).toEqual(results.map(({ id }) => id));
  expect(stages.rerank?.slice(0, results.length)).toEqual(trace?.reranked.slice(0, results.length).map(({ id }) => id));
  expect(new Set(stages.activation)).toEqual(new Set(drawn?.units.map(({ id }) => id)));
});

test('is bounded, and not in a search of several agents', async () => {
  const items = Array.from({ length: 230 }, (_, index) => ({
    content: `Lisbon note ${index} ${'long '.repeat(50)}`,
  }));
  await http.post('/api/memories/batch', { agent_id: 'wordy', items });
  const { drawn } = await picture({
    agent_id: 'wordy',
    query: 'Lisbon note',
    thinking_budget: 400,
    max_tokens: 100_000,
  });
  expect([drawn?.units.length, drawn?.is_complete]).toEqual([200, false]);
  expect(Math.max(...(drawn?.stages.map(({ ids }) => ids.length) ?? []))).toBeLessThanOrEqual(200);
  expect(JSON.stringify(drawn).length).toBeLessThan(150_000);
  expect(drawn?.units.every(({ text }) => text.length <= 201)).toBe(true);
  expect((await picture({ agent_id: undefined, agent_ids: [agent_id, 'wordy'] })).drawn).toBeUndefined();
});
