import { expect, it } from 'vitest';
import type { Ranked } from './scoring/rerank.ts';
import { eachWithinTokens, toResults, withinTokens } from './search-result.ts';

function ranked(context: string | null): Ranked {
  const unit = { context, eventDate: new Date(0), entities: [], metadata: null };
  const activation = { own: 1, passage: 0, neighbours: 0, document: 0, links: 0 };
  return { unit, activation, score: 0.5 } as unknown as Ranked;
}

const contextsOf = (units: readonly Ranked[]) => toResults(units, () => true).map(({ context }) => context);

it('sends a context whole up to 2000 characters, and the start of a longer one', () => {
  expect(contextsOf([null, '', 'x'.repeat(2_000), 'x'.repeat(2_001)].map(ranked))).toEqual([
    ...[null, '', 'x'.repeat(2_000)],
    `${'x'.repeat(2_000)}…`,
  ]);
});

it('truncates between characters', () => {
  expect(contextsOf([ranked('😀'.repeat(2_001))])).toEqual([`${'😀'.repeat(2_000)}…`]);
});

it('sends less of each context if there are very many', () => {
  const contexts = contextsOf(Array.from({ length: 10_000 }, () => ranked('x'.repeat(2_000))));
  expect(contexts.join('').length).toBeLessThan(1_100_000);
});

const units = [{ tokens: 10 }, { tokens: 50 }, { tokens: 5 }];

it('stops before the first that does not fit, even if a later one would', () => {
  expect(withinTokens(units, 20)).toEqual([{ tokens: 10 }]);
});

it('leaves out what does not fit, and takes what fits after it', () => {
  expect(eachWithinTokens(units, 20)).toEqual([{ tokens: 10 }, { tokens: 5 }]);
});

it.each([withinTokens, eachWithinTokens])('takes what fits exactly: %o', (within) => {
  expect(within(units, 65)).toHaveLength(3);
  expect(within(units, 0)).toEqual([]);
});
