import { createLexicalEncoder } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import type { TermHits } from '../vectors/vector-index.ts';
import { analyseQuestion } from './question.ts';
import { weighTerms } from './term-weights.ts';

const lexical = createLexicalEncoder();
const question = analyseQuestion('venison wine dinner', '2026-01-01T00:00:00Z', lexical);
const counted = 64;

/** What a store of `all` units tells, `having` of which have the term, of an agent with `own` of these. */
function termHits(own: number, having: number, all: number): TermHits {
  const score = Math.log((all + 1) / (having + 0.5));
  return { count: Math.min(own, counted), counted, best: own === 0 ? undefined : { id: 'best', score } };
}

/** By term, in the order of the question. */
function weigh(hits: readonly TermHits[], units: number) {
  const terms = new Map([['best', new Map(question.terms.map(({ id }) => [id, 1]))]]);
  return [...weighTerms(question, hits, terms, units).values()];
}

describe('how rare a word is', () => {
  it('is that of the agent, however much others have in the same store', () => {
    const alone = weigh([termHits(0, 0, 300), termHits(2, 2, 300), termHits(40, 40, 300)], 300);
    const shared = weigh([termHits(0, 9, 100_000), termHits(2, 50_000, 100_000), termHits(40, 40, 100_000)], 300);
    expect(shared).toEqual(alone);
    const other = weigh([termHits(9, 9, 100_000), termHits(50, 50_000, 100_000), termHits(0, 40, 100_000)], 99_700);
    expect(other).not.toEqual(alone);
  });

  it('is less the more of its units have the word, on one scale with words that none has', () => {
    const weights = weigh([termHits(0, 0, 300), termHits(1, 1, 300), termHits(30, 30, 300)], 300);
    const rarities = weights.map(({ rarity }) => rarity);
    expect(rarities).toEqual([...rarities].sort((left, right) => right - left));
    expect(rarities[0]).toBe(1);
    expect(weights.map(({ idf }) => idf)).toEqual([0.5, 1.5, 30.5].map((having) => Math.log(301 / having)));
  });

  it('is estimated by the share of all units for words of more than are counted', () => {
    const [own = 0, store = 0] = weigh([termHits(5_000, 5_000, 10_000), termHits(5_000, 10, 10_000)], 10_000).map(
      ({ idf }) => idf,
    );
    expect(own).toBeCloseTo(Math.log(10_001 / 5_000.5));
    expect(store).toBeCloseTo(Math.log(10_001 / (counted + 0.5)));
  });

  it('is known when the store is behind with the number of units', () => {
    for (const { idf, rarity } of weigh([termHits(3, 3, 3), termHits(1, 1, 3), termHits(0, 0, 3)], 0)) {
      expect(idf).toBeGreaterThan(0);
      expect(rarity).toBeGreaterThan(0);
    }
  });
});
