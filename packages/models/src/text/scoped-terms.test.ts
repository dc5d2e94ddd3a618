import { expect, it } from 'vitest';
import { createLexicalEncoder } from './lexical-encoder.ts';
import { scopeTerms } from './scoped-terms.ts';

const vector = createLexicalEncoder().document('The goat has a bell, and the goat likes wine.');

it('gives each scope terms of its own, with the same weights', () => {
  const [alice, bob] = [scopeTerms('alice', vector), scopeTerms('bob', vector)];
  expect(alice.values).toEqual(vector.values);
  expect(new Set([...vector.indices, ...alice.indices, ...bob.indices]).size).toBe(3 * vector.indices.length);
  expect(alice.indices.every((term) => Number.isInteger(term) && term >= 0 && term < 2 ** 32)).toBe(true);
});

it('gives the vector back when it is applied twice', () => {
  expect(scopeTerms('alice', scopeTerms('alice', vector))).toEqual(vector);
});
