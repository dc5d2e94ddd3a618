import type { WebhookEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { expect, it } from 'vitest';
import { tableName } from './commands.ts';
import { tableNamesDecider } from './decider.ts';

const taken = (tableId: number, name: string): WebhookEvent => ({
  type: 'TableNameTaken',
  data: { projectId: 1, tableId, name },
});
const take = { type: 'TakeTableName', projectId: 1, tableId: 9, wanted: 'orders' } as const;
const names = specify(tableNamesDecider);

it('takes the wanted name, or the first free one with a number', () => {
  names.when(take).then([taken(9, 'orders')]);
  names
    .given([taken(1, 'orders'), taken(2, 'orders_3')])
    .when(take)
    .then([taken(9, 'orders_2')]);
  names
    .given([taken(1, 'orders'), taken(2, 'orders_2'), taken(3, 'orders_3')])
    .when(take)
    .then([taken(9, 'orders_4')]);
});

it('a table that has a name keeps it', () => {
  names
    .given([taken(9, 'orders')])
    .when(take)
    .then([]);
});

it.each([
  ['Orders', 'orders'],
  ['My  New\tOrders', 'my_new_orders'],
  [' a ', '_a_'],
  ['Größe', 'größe'],
])('%j names a table %s', (displayName, name) => {
  expect(tableName(displayName)).toBe(name);
});
