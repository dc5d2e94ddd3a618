import { describe, expect, test } from 'vitest';
import type { Reranker } from '../ports.ts';
import { connectModels, startModelServer } from '../testing/index.ts';
import { useModelServer } from '../testing/use-model-server.ts';

const server = useModelServer({ apiKey: 'right' });

async function connect(env: Record<string, string> = {}, deps = {}, to = server): Promise<Reranker> {
  const models = await connectModels(
    to,
    {
      EMBEDDING_DIMENSIONS: '8',
      RERANK_URL: `${to.url}/rerank`,
      RERANK_API_KEY: 'right',
      LLM_MAX_RETRIES: '1',
      RERANK_TIMEOUT_MS: '5000',
      ...env,
    },
    deps,
  );
  return models.reranker ?? expect.unreachable();
}

const texts = ['Rain tomorrow.', 'Anna plays the cello.', 'Anna sleeps.'];
const ask = async (reranker: Reranker) => reranker.score('Anna cello', texts);

test('every text gets its score, in the order of the texts', async () => {
  expect(await ask(await connect({ RERANK_MODEL: 'reranker-1' }))).toEqual([0, 1, 0.5]);
  expect(server.requests[0]?.body).toEqual({
    model: 'reranker-1',
    query: 'Anna cello',
    documents: texts,
    top_n: 3,
  });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer right');
});

test('without a model the request names none, and without texts no request is made', async () => {
  const reranker = await connect();
  expect(await reranker.score('Anna', [])).toEqual([]);
  expect(server.calls()).toBe(0);
  await ask(reranker);
  expect(server.requests[0]?.body).not.toHaveProperty('model');
  expect(reranker.name).toMatch(/^rerank:127\.0\.0\.1:\d+$/);
});

test('a bare list of scores is accepted, and raw numbers are mapped to 0 to 1', async () => {
  server.replies.next('rerank', {
    json: [
      { index: 2, score: 3 },
      { index: 0, score: -2 },
    ],
  });
  const [first, second, third] = await ask(await connect());
  expect(first).toBeCloseTo(0.119, 3);
  expect(second).toBeUndefined();
  expect(third).toBeCloseTo(0.953, 3);
});

test('a server that has returned a raw number is taken to return them always', async () => {
  const reranker = await connect();
  const asked = async (...scores: number[]) => {
    server.replies.next('rerank', { json: scores.map((score, index) => ({ index, score })) });
    return reranker.score('Anna cello', texts.slice(0, scores.length));
  };
  expect(await asked(0.5, 0.25)).toEqual([0.5, 0.25]);
  // Rounded by a server that computes with few digits.
  expect(await asked(1.0000001, -1e-8, 0.25)).toEqual([1, 0, 0.25]);
  await asked(3, -2);
  const [first, second] = await asked(0.5, 0.25);
  expect(first).toBeCloseTo(0.622, 3);
  expect(second).toBeCloseTo(0.562, 3);
});

test('a server that requires the field `texts` gets it from then on', async () => {
  const other = await startModelServer({ abilities: { documents: false } });
  const reranker = await connect({}, {}, other);
  expect([await ask(reranker), await ask(reranker)]).toEqual([
    [0, 1, 0.5],
    [0, 1, 0.5],
  ]);
  expect(other.requests.map(({ body }) => Object.keys(body)[1])).toEqual(['documents', 'texts', 'texts']);
  await other.stop();
});

test('long texts are cut', async () => {
  await (await connect()).score('x'.repeat(30_000), ['😀'.repeat(9_000)]);
  expect(server.requests[0]?.text.length).toBeLessThan(6_100);
});

test('a short Retry-After is respected', async () => {
  const delays: number[] = [];
  const reranker = await connect({}, { sleep: async (delayMs: number) => void delays.push(delayMs) });
  server.replies.next('rerank', { fault: 'rate-limit', retryAfter: '2' });
  expect(await ask(reranker)).toEqual([0, 1, 0.5]);
  expect(delays[0]).toBeGreaterThanOrEqual(2_000);
  server.replies.next('rerank', { fault: 'rate-limit', retryAfter: '30' });
  await expect(ask(await connect())).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 30_000 });
  expect(delays).toHaveLength(1);
});

describe('answers that cannot be used', () => {
  test.each([
    ['too high an index', { json: { results: [{ index: 3, relevance_score: 1 }] } }],
    ['an index below 0', { json: { results: [{ index: -1, relevance_score: 1 }] } }],
    ['no whole number', { json: { results: [{ index: 0.5, relevance_score: 1 }] } }],
    [
      'an index twice',
      {
        json: [
          { index: 1, score: 1 },
          { index: 1, score: 0 },
        ],
      },
    ],
    ['no number as a score', { json: { results: [{ index: 0, relevance_score: null }] } }],
    ['no scores', { json: { results: [] } }],
    ['another body', { json: { hello: 'world' } }],
    ['broken JSON', { fault: 'broken-json' as const }],
    ['a page', { fault: 'not-json' as const }],
  ])('%s', async (_, reply) => {
    server.replies.always('rerank', reply);
    await expect(ask(await connect())).rejects.toMatchObject({ name: 'ModelError', code: 'invalid-output' });
    expect(server.calls('rerank')).toBe(1);
  });

  test.each([
    ['server-error', 'unavailable', 2],
    ['rate-limit', 'rate-limited', 2],
    ['disconnect', 'unavailable', 2],
    ['not-found', 'configuration', 1],
  ] as const)('%s is %s after %i tries', async (fault, code, tries) => {
    server.replies.always('rerank', { fault });
    await expect(ask(await connect())).rejects.toMatchObject({ code });
    expect(server.calls('rerank')).toBe(tries);
  });

  test('no message contains the key', async () => {
    const failing = ask(await connect({ RERANK_API_KEY: 'sk-wrong-0123456789' }));
    await expect(failing).rejects.toMatchObject({ code: 'authentication' });
    await expect(failing).rejects.not.toThrow(/sk-wrong/);
  });
});

test.each(['stall', 'stall-body'] as const)('a server that does not finish (%s) is a timeout', async (fault) => {
  server.replies.always('rerank', { fault });
  const failing = ask(await connect({ RERANK_TIMEOUT_MS: '50' }));
  await expect(failing).rejects.toMatchObject({ code: 'timeout', message: /no answer within 0\.05 s/ });
});

test('the caller can abort a request', async () => {
  server.replies.always('rerank', { fault: 'stall' });
  const abort = new AbortController();
  const asking = (await connect()).score('Anna', texts, abort.signal);
  await expect.poll(() => server.calls('rerank')).toBe(1);
  abort.abort(new Error('enough'));
  await expect(asking).rejects.toThrow('enough');
});
