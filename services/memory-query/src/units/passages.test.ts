import type { RecordedFact } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { passagesOf } from './passages.ts';

const fact = (item: number, text: string, source?: string): RecordedFact => ({
  item,
  text,
  factType: 'world',
  entities: [],
  eventDate: '2026-01-01T00:00:00.000Z',
  vector: '',
  ...(source === undefined ? {} : { source }),
});

it('keeps the facts of an item together, and their text on the first', () => {
  const facts = [fact(0, 'Tea is green.'), fact(1, 'Ann: I sing.'), fact(1, 'Ann: I dance.'), fact(1, 'Bob: I cook.')];
  expect(passagesOf(facts, 7)).toEqual([
    { first: 7, last: 7, text: null },
    { first: 8, last: 10, text: 'Ann: I sing.\nI dance.\nBob: I cook.' },
    { first: 8, last: 10, text: null },
    { first: 8, last: 10, text: null },
  ]);
});

it('divides a long item', () => {
  const facts = Array.from({ length: 10 }, (_, index) => fact(0, `${index} ${'x'.repeat(998)}`));
  const passages = passagesOf(facts, 0);
  expect(passages.map(({ first }) => first)).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8, 8]);
  expect(passages.map(({ last }) => last)).toEqual([3, 3, 3, 3, 7, 7, 7, 7, 9, 9]);
});

it('has the words of the item if a model has written the facts', () => {
  const [only] = passagesOf([fact(0, 'Ann sings.', 'I sing, says Ann.')], 0);
  expect(only).toEqual({ first: 0, last: 0, text: 'I sing, says Ann.' });
});

it('has no passages without facts', () => {
  expect(passagesOf([], 0)).toEqual([]);
});
