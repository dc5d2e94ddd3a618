import { createLexicalEncoder, type LexicalEncoder } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { createRows } from '../testing/rows.ts';
import { lexicalText } from '../units/text.ts';
import type { TermHits } from '../vectors/vector-index.ts';
import { analyseQuestion } from './question.ts';
import { maxCachedBytes, TermCache, weighTerms } from './term-weights.ts';

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
  it('depends only on the units of the agent, whatever others have in the same store', () => {
    const alone = weigh([termHits(0, 0, 300), termHits(2, 2, 300), termHits(40, 40, 300)], 300);
    const shared = weigh([termHits(0, 9, 100_000), termHits(2, 50_000, 100_000), termHits(40, 40, 100_000)], 300);
    expect(shared).toEqual(alone);
    const other = weigh([termHits(9, 9, 100_000), termHits(50, 50_000, 100_000), termHits(0, 40, 100_000)], 99_700);
    expect(other).not.toEqual(alone);
  });

  it('is the lower the more units have the word, on one scale with words that no unit has', () => {
    const weights = weigh([termHits(0, 0, 300), termHits(1, 1, 300), termHits(30, 30, 300)], 300);
    const rarities = weights.map(({ rarity }) => rarity);
    expect(rarities).toEqual([...rarities].sort((left, right) => right - left));
    expect(rarities[0]).toBe(1);
    expect(weights.map(({ idf }) => idf)).toEqual([0.5, 1.5, 30.5].map((having) => Math.log(301 / having)));
  });

  it('is estimated from the share of all units for words of more units than are counted', () => {
    const [own = 0, store = 0] = weigh([termHits(5_000, 5_000, 10_000), termHits(5_000, 10, 10_000)], 10_000).map(
      ({ idf }) => idf,
    );
    expect(own).toBeCloseTo(Math.log(10_001 / 5_000.5));
    expect(store).toBeCloseTo(Math.log(10_001 / (counted + 0.5)));
  });

  it('is computed also when the store is behind with the number of units', () => {
    for (const { idf, rarity } of weigh([termHits(3, 3, 3), termHits(1, 1, 3), termHits(0, 0, 3)], 0)) {
      expect(idf).toBeGreaterThan(0);
      expect(rarity).toBeGreaterThan(0);
    }
  });
});

const rows = createRows();

/** An encoder that counts its calls. */
function countingEncoder() {
  const encoder = createLexicalEncoder();
  const counting = { documents: 0 };
  const lexical: LexicalEncoder = {
    ...encoder,
    document: (text) => {
      counting.documents += 1;
      return encoder.document(text);
    },
  };
  return { lexical, counting };
}

describe('the terms of a unit', () => {
  it('are computed once', () => {
    const { lexical, counting } = countingEncoder();
    const cache = new TermCache(lexical);
    const unit = rows.unit('Alice likes black tea');
    const terms = cache.termsOf(unit);
    expect(cache.termsOf({ ...unit })).toBe(terms);
    expect(counting.documents).toBe(1);
    const { indices, values } = lexical.document(lexicalText(unit));
    expect([...terms]).toEqual(indices.map((id, index) => [id, values[index]]));
  });

  it.each([
    ['text', { text: 'Bob likes green tea' }],
    ['source', { source: 'I like rooibos' }],
    ['date', { eventDate: new Date('1999-01-01') }],
  ])('are those of its words when its %s has changed', (_, change) => {
    const lexical = createLexicalEncoder();
    const cache = new TermCache(lexical);
    const unit = rows.unit('Alice likes black tea');
    cache.termsOf(unit);
    expect(cache.termsOf({ ...unit, ...change })).toEqual(new TermCache(lexical).termsOf({ ...unit, ...change }));
  });
});

describe('the cache of terms', () => {
  const template = rows.unit('');
  const unit = (index: number) => ({ ...template, text: `Alice bought cup ${index}`, _id: `unit-${index}` });

  it('stays within its bound, however many units are requested', () => {
    const cache = new TermCache(createLexicalEncoder());
    for (let index = 0; index < 40_000; index += 1) cache.termsOf(unit(index));
    expect(cache.bytes).toBeLessThanOrEqual(maxCachedBytes);
    expect(cache.bytes).toBeGreaterThan(maxCachedBytes / 2);
  });

  it('drops the least recently used entries, and does not keep a text beyond its bound', () => {
    const { lexical, counting } = countingEncoder();
    const cache = new TermCache(lexical, 2_000);
    for (const index of [1, 2, 1, 3]) cache.termsOf(unit(index));
    counting.documents = 0;
    cache.termsOf(unit(1));
    expect(counting.documents).toBe(0);
    cache.termsOf(unit(2));
    expect(counting.documents).toBe(1);
    const before = cache.bytes;
    cache.termsOf({ ...unit(4), text: 'x'.repeat(2_000) });
    expect(cache.bytes).toBe(before);
  });
});
