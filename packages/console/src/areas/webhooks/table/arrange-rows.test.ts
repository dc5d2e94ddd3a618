import { ExactNumber } from '@mneme/client';
import { describe, expect, it } from 'vitest';
import { arrange, newestFirst, textOf, valueIn } from './arrange-rows.ts';

const rows = [
  { id: 4, total: 10, city: 'Porto' },
  { id: 3, total: 9, city: null },
  { id: 2, total: 100, city: 'lisbon 10' },
  { id: 1, total: 10, city: 'Lisbon 9' },
].map(({ id, ...values }) => ({ id, created_at: '2026-11-20T00:00:00.000Z', values }));

const ids = (changes: object) => arrange(rows, { ...newestFirst, ...changes }).map(({ id }) => id);

describe('rows', () => {
  it('stay as they are unless they are sorted or filtered', () => {
    expect(ids({})).toEqual([4, 3, 2, 1]);
  });

  it('are sorted by number, or by text with its numbers, empty values last, equal ones as they were', () => {
    expect(ids({ sortBy: 'total', isDescending: false })).toEqual([3, 4, 1, 2]);
    expect(ids({ sortBy: 'total', isDescending: true })).toEqual([2, 4, 1, 3]);
    expect(ids({ sortBy: 'city', isDescending: false })).toEqual([1, 2, 4, 3]);
    expect(ids({ sortBy: 'city', isDescending: true })).toEqual([4, 2, 1, 3]);
  });

  it('are filtered by text in any column or in one, in any case', () => {
    expect(ids({ filter: '10' })).toEqual([4, 2, 1]);
    expect(ids({ filter: 'LISBON', filterColumn: 'city' })).toEqual([2, 1]);
    expect(ids({ filter: '10', filterColumn: 'city' })).toEqual([2]);
    expect(ids({ filter: 'null' })).toEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('may have a column named %s', (name) => {
    const sent = [`{"${name}":"b"}`, '{}', `{"${name}":"a"}`];
    const named = sent.map((json, id) => ({ id, created_at: '2026-11-20T00:00:00.000Z', values: JSON.parse(json) }));
    const found = (changes: object) => arrange(named, { ...newestFirst, ...changes }).map(({ id }) => id);
    expect(named.map((row) => textOf(valueIn(row, name)))).toEqual(['b', '', 'a']);
    expect(found({ sortBy: name, isDescending: false })).toEqual([2, 0, 1]);
    expect(found({ filter: 'native', filterColumn: name })).toEqual([]);
    expect(found({ filter: 'a', filterColumn: name })).toEqual([2]);
  });

  it('are shown, sorted and filtered by numbers as they were sent', () => {
    const sent = ['1e400', '9007199254740993', '1.10', '-0', '1e401'];
    const exact = [...sent.map((source) => new ExactNumber(source)), 7].map((price, id) => ({
      ...{ id, created_at: '2026-11-20T00:00:00.000Z' },
      values: { price },
    }));
    const found = (changes: object) => arrange(exact, { ...newestFirst, ...changes }).map(({ id }) => id);
    expect(exact.map(({ values }) => textOf(values.price))).toEqual([...sent, '7']);
    expect(textOf([new ExactNumber('1.0'), 2])).toBe('[1.0,2]');
    expect(found({ sortBy: 'price', isDescending: false })).toEqual([3, 2, 5, 1, 0, 4]);
    expect(found({ sortBy: 'price', isDescending: true })).toEqual([0, 4, 1, 5, 2, 3]);
    expect(found({ filter: '1.10' })).toEqual([2]);
  });
});
