import { ExactNumber } from '@mneme/client';
import { describe, expect, it } from 'vitest';
import { type Arrangement, arrange, newestFirst } from './arrange-rows.ts';
import { textOf, valueIn } from './row-values.ts';
import type { ColumnType } from './sort-rows.ts';

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
    expect(found({ sortBy: 'price', isDescending: true })).toEqual([4, 0, 1, 5, 2, 3]);
    expect(found({ filter: '1.10' })).toEqual([2]);
  });

  const sorted = (sent: readonly unknown[], type: ColumnType, changes: Partial<Arrangement> = {}) => {
    const one = sent.map((x, id) => ({ id, created_at: '2026-11-20T00:00:00.000Z', values: { x } }));
    const by = { ...newestFirst, sortBy: 'x', isDescending: false, ...changes };
    return arrange(one, by, type).map(({ values }) => values.x);
  };

  it('are sorted by the point in time in a column of dates, and by text elsewhere', () => {
    const inOrder = [
      '2026-11-19',
      '2026-11-20T10:00:00+05:30',
      '2026-11-20 05:00',
      '2026-11-20T06:00:00Z',
      '2026-11-20T06:00:00.0000019Z',
      '2026-11-20T06:00:00.00001Z',
      '2026-11-20T01:00:00-0800',
      '2026-11-20 and later',
    ];
    for (const type of ['date', 'datetime'] as const) expect(sorted(inOrder.toReversed(), type)).toEqual(inOrder);
    expect(sorted(inOrder.slice(0, 4), 'date', { isDescending: true })).toEqual(inOrder.slice(0, 4).toReversed());
    expect(sorted(['2026-11-20T06:00Z', '2026-11-20T10:00+05:30'], 'text')).toEqual([
      '2026-11-20T06:00Z',
      '2026-11-20T10:00+05:30',
    ]);
  });

  it('are sorted by all digits of their numbers', () => {
    const inOrder = [
      '-1e401',
      '-1.0E400',
      '-9007199254740993',
      '-9007199254740992',
      '-1e-400',
      '0',
      '1e-401',
      '1e-400',
    ];
    inOrder.push(
      '0.1',
      '0.10000000000000000001',
      '9007199254740992',
      '9007199254740993',
      '9007199254740994.5',
      '1e400',
    );
    const numbers = inOrder.map((source) =>
      String(Number(source)) === source ? Number(source) : new ExactNumber(source),
    );
    expect(sorted(numbers.toReversed(), 'number').map(String)).toEqual(inOrder);
    const equal = ['1e400', '10.0e399', '0.1e401', '100e398'].map((source) => new ExactNumber(source));
    expect(sorted(equal, 'number')).toEqual(equal);
  });

  it('are found by accents that are sent as one character or as two', () => {
    const names = ['Am\u00e9lie', 'Ame\u0301lie', 'Amelie'];
    for (const filter of ['am\u00e9lie', 'AME\u0301LIE']) {
      expect(sorted(names, 'text', { filter, sortBy: undefined })).toEqual(names.slice(0, 2));
    }
  });
});
