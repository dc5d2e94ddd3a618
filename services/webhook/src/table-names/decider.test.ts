import type { WebhookEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { longestStallOf } from '@mneme/workers/testing';
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

it('the state before a name is as it was, for others that go on from it', () => {
  const { initialState, evolve, decide } = tableNamesDecider;
  const before = evolve(initialState, taken(1, 'orders'));
  for (const name of ['orders_2', 'orders_3']) evolve(before, taken(2, name));
  expect(decide(take, before)).toEqual([taken(9, 'orders_2')]);
});

it('10,000 names are folded, and one more is taken, without a stall', async () => {
  const longestStallMs = 250;
  const history = Array.from({ length: 10_000 }, (_, index) => taken(index + 100, `orders_${index + 2}`));
  const { initialState, evolve, decide } = tableNamesDecider;
  const stallMs = await longestStallOf(async () => {
    const names = history.reduce(evolve, initialState);
    expect(decide({ ...take, wanted: 'orders_2' }, names)).toEqual([taken(9, 'orders_2_2')]);
  }, longestStallMs);
  expect(stallMs).toBeLessThan(longestStallMs);
});

it.each([
  ['Orders', 'orders'],
  ['My  New\tOrders', 'my_new_orders'],
  [' a ', '_a_'],
  ['Größe', 'größe'],
])('%j names a table %s', (displayName, name) => {
  expect(tableName(displayName)).toBe(name);
});
