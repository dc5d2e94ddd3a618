import { ModelError, type Reranker } from '@mneme/models';
import { expect, it } from 'vitest';
import { crossEncode, maxCrossEncoded } from './cross-encode.ts';
import type { Ranked } from './rerank.ts';

/** In the heuristic's order, with scores that fall. */
function ranked(...texts: string[]): Ranked[] {
  return texts.map((text, index) => ({ unit: { text }, score: 0.9 - index / 1_000, parts: {} }) as unknown as Ranked);
}

function scoring(score: Reranker['score']) {
  const failures: unknown[] = [];
  return { failures, reranker: { name: 'rerank:test', score }, onFailure: (error: unknown) => failures.push(error) };
}

const textsOf = (units: readonly Ranked[]) => units.map(({ unit }) => unit.text);

it('sorts by the scores of the model, and equal scores in the order of the heuristic', async () => {
  const encoder = scoring(async () => [0.1, 0.5, 0.5, 0.9]);
  const { ranked: ordered, reason } = await crossEncode(ranked('a', 'b', 'c', 'd'), 'q', encoder);
  expect([textsOf(ordered), reason]).toEqual([['d', 'b', 'c', 'a'], null]);
  expect(ordered[0]).toMatchObject({ score: 0.9, parts: { cross_encoder: 0.9 } });
});

it('puts results without a score last, with lower scores', async () => {
  const encoder = scoring(async () => [undefined, 0.2, undefined, 0.4]);
  const { ranked: ordered } = await crossEncode(ranked('a', 'b', 'c', 'd'), 'q', encoder);
  expect(textsOf(ordered)).toEqual(['d', 'b', 'a', 'c']);
  expect(ordered[2]).toMatchObject({ score: 0.2 * 0.9, parts: { below_cross_encoder: 0.2 } });
  const scores = ordered.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
});

it('sends no more than the best to the model', async () => {
  const sent: string[] = [];
  const encoder = scoring(async (_, texts) => {
    sent.push(...texts);
    return texts.map((_text, index) => index / texts.length);
  });
  const all = ranked(...Array.from({ length: maxCrossEncoded + 5 }, (_, index) => `${index}`));
  const { ranked: ordered } = await crossEncode(all, 'q', encoder);
  expect(sent).toHaveLength(maxCrossEncoded);
  expect(textsOf(ordered.slice(-5))).toEqual(['100', '101', '102', '103', '104']);
});

it('keeps the order when the model fails, and returns the reason', async () => {
  const error = new ModelError('timeout', 'rerank:test: no answer within 5 s.');
  const encoder = scoring(() => Promise.reject(error));
  const units = ranked('a', 'b');
  expect(await crossEncode(units, 'q', encoder)).toEqual({ ranked: units, reason: error.message });
  expect(encoder.failures).toEqual([error]);
});

it('does not reveal an internal error', async () => {
  const { reason } = await crossEncode(
    ranked('a'),
    'q',
    scoring(() => Promise.reject(new Error('/secret/path'))),
  );
  expect(reason).toBe('The rerank model failed');
});

it('returns as the reason that no model is configured', async () => {
  expect((await crossEncode(ranked('a'), 'q', undefined)).reason).toBe('RERANK_URL is not set');
});
