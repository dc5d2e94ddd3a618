import type { SearchReply } from '@mneme/contracts';
import type { ModelServer } from '@mneme/models/testing';
import { startModelServer } from '@mneme/models/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';

const timeoutMs = 1_000;
let model: ModelServer;
let system: System;

beforeAll(async () => {
  model = await startModelServer();
  const environment = { RERANK_URL: `${model.url}/rerank`, RERANK_TIMEOUT_MS: `${timeoutMs}`, LLM_MAX_RETRIES: '1' };
  system = await startSystem({ processes: 'one', environment });
  const items = ['Lisbon has trams.', 'Lisbon has a harbour.', 'Ana moved to Lisbon.'].map((content) => ({ content }));
  await system.http.post('/api/memories/batch', { agent_id: 'ana', items });
  return async () => {
    await system.stop();
    await model.stop();
  };
});
beforeEach(() => model.reset());

async function search(reranker: string) {
  const body = { agent_id: 'ana', query: 'Lisbon', question_date: '2024-06-01', trace: true, reranker };
  const reply = await system.http.post<SearchReply>('/api/search', body);
  expect(reply.status).toBe(200);
  const { results, trace } = reply.body;
  return { texts: results.map(({ text }) => text), results, reranker: trace?.reranker, trace };
}

/** Scores by what the texts hold. */
function scoring(scores: Readonly<Record<string, number>>) {
  model.replies.always('rerank', ({ body }) => ({
    json: {
      results: (body.documents as string[]).map((text, index) => ({
        index,
        relevance_score: Object.entries(scores).find(([word]) => text.includes(word))?.[1] ?? 0,
      })),
    },
  }));
}

test('the rerank model orders the results', async () => {
  scoring({ harbour: 0.9, Ana: 0.5, trams: 0.1 });
  const { texts, results, reranker, trace } = await search('cross-encoder');
  expect(texts).toEqual(['Lisbon has a harbour.', 'Ana moved to Lisbon.', 'Lisbon has trams.']);
  expect(results.map(({ score }) => score)).toEqual([0.9, 0.5, 0.1]);
  expect(reranker).toEqual({ asked: 'cross-encoder', used: 'cross-encoder', reason: null });
  expect(trace?.reranked[0]?.parts.cross_encoder).toBe(0.9);
  expect(model.requests[0]?.body).toMatchObject({ query: 'Lisbon', top_n: 3 });
});

test.each(['heuristic', 'none'] as const)('the reranker %s asks no model', async (asked) => {
  expect((await search(asked)).reranker).toEqual({ asked, used: asked, reason: null });
  expect(model.calls()).toBe(0);
});

test.each([
  [{ fault: 'server-error' }, /the server has failed \(status 500\)/],
  [{ fault: 'rate-limit', retryAfter: '60' }, /asks to wait 60 s \(status 429\)/],
  [{ fault: 'stall' }, /no answer within 1 s/],
  [{ fault: 'broken-json' }, /the answer has another form/],
] as const)('a rerank model that fails (%j) leaves the order of the heuristic', async (fault, reason) => {
  const { texts } = await search('heuristic');
  model.replies.always('rerank', fault);
  const startedAt = performance.now();
  const reranked = await search('cross-encoder');
  expect(performance.now() - startedAt).toBeLessThan(10 * timeoutMs);
  expect(reranked.texts).toEqual(texts);
  expect(reranked.reranker).toEqual({
    asked: 'cross-encoder',
    used: 'heuristic',
    reason: expect.stringMatching(reason),
  });
});
