import { expect, it } from 'vitest';
import { freeName, tableName } from './commands.ts';
import { tableNamesDecider } from './decider.ts';

it.each([
  ['Orders', 'orders'],
  ['My  New\tOrders', 'my_new_orders'],
  [' a ', '_a_'],
  ['Größe', 'größe'],
])('%j names a table %s', (wanted, name) => {
  expect(tableName(wanted)).toBe(name);
});

it('a name that is taken gets the first number that is free', () => {
  expect(freeName('orders', new Set())).toBe('orders');
  expect(freeName('orders', new Set(['orders', 'orders_3']))).toBe('orders_2');
  expect(freeName('orders', new Set(['orders', 'orders_2', 'orders_3']))).toBe('orders_4');
});

it('a table that has a name keeps it', () => {
  const take = (tableId: number, names: ReadonlyMap<number, string>) =>
    tableNamesDecider.decide({ type: 'TakeTableName', projectId: 1, tableId, wanted: 'orders' }, names);
  expect(take(1, new Map([[1, 'orders']]))).toEqual([]);
  expect(take(2, new Map([[1, 'orders']]))).toMatchObject([{ data: { name: 'orders_2' } }]);
});
