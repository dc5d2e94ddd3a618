import { createLexicalEncoder } from '@mneme/models';
import { expect, it } from 'vitest';
import { analyseQuestion } from './question.ts';
import { weighTerms } from './term-weights.ts';

const lexical = createLexicalEncoder();
const question = (text: string) => analyseQuestion(text, '2024-06-01', lexical);
const weightsOf = (text: string, counts: Readonly<Record<string, number>>, units: number) => {
  const asked = question(text);
  const stems = new Map(Object.entries(counts).map(([word, count]) => [lexical.query(word).indices[0], count]));
  const weights = weighTerms(
    asked,
    asked.terms.map(({ id }) => stems.get(id) ?? 0),
    units,
  );
  const of = (word: string) =>
    weights.vector.values[weights.vector.indices.indexOf(lexical.query(word).indices[0] ?? 0)];
  return { ...weights, of };
};

it('gives rare words more weight, and all of them together 1', () => {
  const weights = weightsOf('goat bell', { goat: 3, bell: 300 }, 1_000);
  // With a thousand units, counting determines almost all of the weight.
  const idf = (having: number) => Math.log(1 + (1_000 - having + 0.5) / (having + 0.5)) / Math.log(1 + 1_000.5 / 0.5);
  const [goat, bell] = [3, 300].map((having) => (1_000 * idf(having) + 10) / 1_010) as [number, number];
  expect(weights.of('goat')).toBeCloseTo(goat / (goat + bell));
  expect(weights.vector.values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
});

it('weighs all words nearly alike if there are hardly any units, but common ones less', () => {
  const weights = weightsOf('goat bell good', { goat: 1 }, 1);
  expect(weights.of('goat')).toBeCloseTo(weights.of('bell') ?? 0, 1);
  expect(weights.of('good')).toBeLessThan((weights.of('bell') ?? 0) * 0.75);
});

it('tells the part of the weight of words that no unit has', () => {
  expect(weightsOf('goat bell', { goat: 1, bell: 1 }, 10).missing).toBe(0);
  expect(weightsOf('goat bell', { bell: 1 }, 10).missing).toBeGreaterThan(0.5);
  expect(weightsOf('goat bell', {}, 10).missing).toBeCloseTo(1);
});

it('tells whether a name is unknown', () => {
  expect(weightsOf('When did Emil leave?', { leave: 1 }, 10).hasUnknownName).toBe(true);
  expect(weightsOf('When did Emil leave?', { emil: 1 }, 10).hasUnknownName).toBe(false);
  expect(weightsOf('When did somebody leave?', {}, 10).hasUnknownName).toBe(false);
  expect(weightsOf('When did Emil leave?', { emil: 1 }, 10).hasKnownNames).toBe(true);
  expect(weightsOf('When did Emil meet Ana?', { emil: 1 }, 10).hasKnownNames).toBe(false);
  expect(weightsOf('When did somebody leave?', { leave: 1 }, 10).hasKnownNames).toBe(false);
});

it.each(['What did Anna cook on Monday?', 'What did Anna cook yesterday?'])(
  'does not miss the words of a time, which units need not have: %s',
  (text) => {
    const { missing, hasUnknownName, hasKnownNames } = weightsOf(text, { anna: 1, cook: 1 }, 10);
    expect({ missing, hasUnknownName, hasKnownNames }).toEqual({
      missing: 0,
      hasUnknownName: false,
      hasKnownNames: true,
    });
  },
);

it('keeps the 64 rarest words of a long question', () => {
  const words = Array.from({ length: 200 }, (_, index) => `w${index}`);
  const counts = Object.fromEntries(words.map((word, index) => [word, index]));
  const { vector } = weightsOf(words.join(' '), counts, 1_000);
  expect(vector.indices).toHaveLength(64);
  expect(new Set(vector.indices)).toEqual(new Set(words.slice(0, 64).map((word) => lexical.query(word).indices[0])));
});

it('works when the store knows fewer units than have a word', () => {
  expect(weightsOf('goat', { goat: 5 }, 2).of('goat')).toBeCloseTo(1);
});
