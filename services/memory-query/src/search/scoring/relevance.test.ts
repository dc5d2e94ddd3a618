import { createLexicalEncoder } from '@mneme/models';
import { expect, it } from 'vitest';
import { analyseQuestion } from '../question/question.ts';
import { linkedVisit } from './activation.ts';
import { evidenceOfMeaning, matches, resultLimit } from './relevance.ts';

const lexical = createLexicalEncoder();
const learned = { unrelated: 0.2, strong: 0.46, link: 0.7, weight: 1.2 };
const words = { unrelated: 0, strong: 0.6, link: 0.7, weight: 0.1 };

/** As the index would answer an agent of that many units, whose others all have the cosine 0.1. */
function found(cosines: readonly number[], unitCount: number) {
  const sample = [...cosines, ...Array<number>(Math.max(0, unitCount - cosines.length)).fill(0.1)].slice(0, 64);
  return { closest: cosines.slice(0, 5), sample };
}

const whoSang = analyseQuestion('Who sang?', '2024-01-01', lexical);
/** All words of the question are known, and it names no one. */
const weights = { vector: { indices: [], values: [] }, missing: 0, hasUnknownName: false, hasKnownNames: false };

function limit(cosines: readonly number[], units = 500, change: Partial<typeof weights> = {}) {
  const encoded = { unitCount: units, weights: { ...weights, ...change } };
  return resultLimit([], { comparison: found(cosines, units), encoded, question: whoSang, calibration: learned });
}

it('sets no limit if the best units are far more similar than others', () => {
  expect(limit(Array<number>(5).fill(0.6))).toBe(Number.POSITIVE_INFINITY);
});

it('returns nothing if nothing is more similar than chance', () => {
  expect(limit(Array<number>(5).fill(0.25))).toBe(0);
  expect(limit([])).toBe(0);
});

it('returns a few results in between, fewer if words or a name are unknown', () => {
  const cosines = Array<number>(5).fill(0.36);
  const known = limit(cosines);
  expect(known).toBeGreaterThan(0);
  expect(known).toBeLessThan(100);
  expect(limit(cosines, 500, { missing: 0.5, hasUnknownName: true })).toBe(0);
});

it('needs less similarity of the only unit than of the best of thousands', () => {
  expect(limit([0.31], 1)).toBeGreaterThan(0);
  expect(limit([0.31], 10_000)).toBe(0);
});

it('gives a few results for one close unit among few, whose other units dilute the mean, and has no word of the question', () => {
  const oneOfFive = [0.44, 0.2, 0.25, 0.2, 0.2];
  expect(limit(oneOfFive, 40, { missing: 1 })).toBe(3);
  expect(limit(oneOfFive, 1_000, { missing: 1 })).toBe(0);
  expect(limit(Array<number>(5).fill(0.2), 40, { missing: 1 })).toBe(0);
});

it.each([2, 5, 10])('goes by the closest alone of %i units that are about different things', (units) => {
  const others = Array<number>(units - 1).fill(0.1);
  expect(limit([0.3, ...others], units, { missing: 1 })).toBe(3);
  expect(limit([0.2, ...others], units, { missing: 1 })).toBe(0);
  expect(limit([0.3, ...others], 1_000, { missing: 1 })).toBe(0);
});

it('gives results for close units although all units are as close, as expenses are to a question about expenses', () => {
  const alike = (cosine: number, change: Partial<typeof weights> = {}) => {
    const comparison = { closest: Array<number>(5).fill(cosine + 0.01), sample: Array<number>(64).fill(cosine) };
    const encoded = { unitCount: 300, weights: { ...weights, missing: 1, ...change } };
    return resultLimit([], { comparison, encoded, question: whoSang, calibration: learned });
  };
  expect([0.68, 0.6, 0.52, 0.42, 0.38].map((cosine) => alike(cosine))).toEqual([
    Number.POSITIVE_INFINITY,
    30,
    10,
    3,
    0,
  ]);
  expect(alike(0.42, { hasUnknownName: true })).toBe(0);
});

it('has more evidence the more similar the best units are', () => {
  const encoded = { vector: [], unitCount: 100, weights };
  const evidence = [0.2, 0.3, 0.4, 0.5].map((cosine) =>
    evidenceOfMeaning({ ...found([cosine], 100), encoded, calibration: learned }),
  );
  expect(evidence).toEqual([...evidence].sort((left, right) => left - right));
});

it('sets no limit either if a passage has most of the words, whatever their meaning', () => {
  const encoded = { unitCount: 500, weights };
  const context = { comparison: found([0.1], 500), encoded, question: whoSang, calibration: learned };
  const holding = (words: number) => [{ ...linkedVisit('a'), match: { words, meaning: 0 } }];
  expect(resultLimit(holding(0.9), context)).toBe(Number.POSITIVE_INFINITY);
  expect(resultLimit(holding(0.7), context)).toBe(10);
  expect(resultLimit(holding(0.5), context)).toBe(3);
  expect(resultLimit(holding(0.4), context)).toBe(0);
});

/** With a model that compares only words, if the best passage has this share of those of the question. */
function limitByWords(share: number, { text = 'Who sang?', hasKnownNames = false } = {}) {
  const question = analyseQuestion(text, '2024-01-01', lexical);
  return resultLimit([{ ...linkedVisit('a'), passageMatch: { words: share, meaning: 0 } }], {
    comparison: undefined,
    encoded: { unitCount: 10, weights: { ...weights, hasKnownNames } },
    question,
    calibration: words,
  });
}

it('goes by the words of the best passage if the model compares only words', () => {
  const limits = [0.2, 0.35, 0.45, 0.7].map((share) => limitByWords(share));
  expect(limits).toEqual([0, 3, 12, Number.POSITIVE_INFINITY]);
  expect(limitByWords(0.2, { hasKnownNames: true })).toBe(Number.POSITIVE_INFINITY);
});

it('needs a smaller share of the words of a long question', () => {
  const text = 'Which kinds of cheese, bread, wine, olives and fruit were served at the wedding dinner in the garden?';
  expect(limitByWords(0.2, { text })).toBeGreaterThan(0);
  expect(limitByWords(0.1, { text })).toBe(0);
});

it('takes a unit for a match by itself or by its passage, however it was reached', () => {
  const visit = linkedVisit('a');
  expect(matches(visit)).toBe(false);
  expect(matches({ ...visit, match: { words: 0.3, meaning: 0.4 } })).toBe(true);
  expect(matches({ ...visit, passageMatch: { words: 0.9, meaning: 0 } })).toBe(true);
});
