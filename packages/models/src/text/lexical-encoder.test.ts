import { describe, expect, test } from 'vitest';
import { createLexicalEncoder, indexedText, type SparseVector, scopeTerms } from './lexical-encoder.ts';

const encoder = createLexicalEncoder();

/** As the store scores, with an inverse document frequency of 1. */
function score(query: string, document: string): number {
  const weights = toMap(encoder.document(document));
  return [...toMap(encoder.query(query))].reduce((sum, [id, value]) => sum + value * (weights.get(id) ?? 0), 0);
}

function toMap({ indices, values }: SparseVector): Map<number, number> {
  return new Map(indices.map((id, index) => [id, values[index] ?? 0]));
}

describe('both sides of a lexical search', () => {
  test('each index is a 32-bit number and comes once, in order', () => {
    const { indices, values } = encoder.document('Anna, Anna and Ben painted paintings in Berlin, 2023 你好世界');
    expect(indices.length).toBeGreaterThan(5);
    expect(values).toHaveLength(indices.length);
    expect(indices.every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 32)).toBe(true);
    expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
  });

  test('forms of a word have the same term', () => {
    expect(score('What did she paint?', 'Her paintings, painted at night')).toBeGreaterThan(0);
    expect(score("Anna's agencies", 'ANNA at the agency')).toBeGreaterThan(1.5);
  });

  test.each([
    ['Francois', 'François plays the piano'],
    ['CÓRDOBA', 'Sean lives in Cordoba'],
    ['Soren Müller', 'S\u00f8ren, Mu\u0308ller'],
    ['avion', "J'ai pris l’avion"],
    ['hôtel', "L'hotel coûte 120 euros"],
    ["l'Etna", 'Etna'],
  ])('%s is found in "%s"', (query, document) => {
    expect(score(query, document)).toBeGreaterThan(0.9);
  });

  test.each([
    ['コーヒー', 'バター'],
    ['하나', '하노'],
    ["don't", 'Don'],
    ['й', 'и'],
  ])('%s is not %s', (query, document) => {
    expect(score(query, document)).toBe(0);
  });

  test('stop words are left out', () => {
    expect(encoder.query('what is it that you are')).toEqual({ indices: [], values: [] });
    expect(encoder.document('')).toEqual({ indices: [], values: [] });
  });

  test('repetitions of a word count less and less', () => {
    const once = score('cat', 'cat');
    const twice = score('cat', 'cat cat');
    const often = score('cat', 'cat '.repeat(100));
    expect(twice).toBeGreaterThan(once);
    expect(often).toBeLessThan(2.2 * once);
  });

  test('a word counts less in a text of more than fifty words, and the same in any shorter one', () => {
    const rest = (words: number) => Array.from({ length: words }, (_, index) => `w${index}`).join(' ');
    const short = score('Anna', 'Thanks, Anna!');
    expect(score('Anna', `Anna ${rest(49)}`)).toBeCloseTo(short);
    expect(score('Anna', `Anna ${rest(99)}`)).toBeLessThan(short * 0.8);
  });

  test('Room 101 is not Room 102', () => {
    expect(score('Room 101', 'Room 101')).toBeGreaterThan(score('Room 101', 'Room 102') * 1.5);
  });

  test('the numbers of a name never change', () => {
    expect(encoder.name).toBe('mneme-bm25-porter-v3');
    expect(encoder.query('Anna lives in Berlin').indices).toEqual([16007410, 2867403382, 3191696525]);
  });

  test.each([['\u0000'], ['\ud800'], ['😀'], ['你'], ['x'.repeat(5_000_000)], ['你好'.repeat(2_000_000)]])(
    'any text has a vector',
    (text) => {
      const { indices, values } = encoder.document(text);
      expect(indices).toHaveLength(values.length);
    },
  );
});

describe('the text that is indexed', () => {
  test.each([
    ['Anna sings.', '2023-05-07T12:00:00.000Z', 'Anna sings. (7 May 2023)'],
    ['Anna sings.', '0001-01-01T00:00:00.000Z', 'Anna sings. (1 January 1)'],
    ['Anna sings.', null, 'Anna sings.'],
    ['Anna sings.', 'never', 'Anna sings.'],
  ])('%s at %s', (text, eventDate, expected) => {
    expect(indexedText({ text, eventDate })).toBe(expected);
  });
});

describe('terms of a scope', () => {
  const vector = encoder.document('The goat has a bell, and the goat likes wine.');

  test('are its own, with the same weights', () => {
    const [alice, bob] = [scopeTerms('alice', vector), scopeTerms('bob', vector)];
    expect(vector.indices).not.toEqual([]);
    expect(alice.values).toEqual(vector.values);
    expect(new Set([...vector.indices, ...alice.indices, ...bob.indices]).size).toBe(3 * vector.indices.length);
    expect(alice.indices.every((term) => Number.isInteger(term) && term >= 0 && term < 2 ** 32)).toBe(true);
  });

  test('give the vector back when they are made twice', () => {
    expect(scopeTerms('alice', scopeTerms('alice', vector))).toEqual(vector);
  });
});
