import { createStateCache } from '@mneme/event-store';
import { expect, it } from 'vitest';
import type { WebhookDeps } from '../deps.ts';
import { useWebhookLog } from '../testing/webhook-log.ts';
import { takeTableName } from './commands.ts';
import { type TableNames, tableNamesBytes } from './decider.ts';

type Store = WebhookDeps['store'];

const context = { correlationId: 'test' };
const webhooks = useWebhookLog();

/** What an instance works with, with the sequences of the events that it has read to fold them. */
function startInstance() {
  const { store } = webhooks;
  const read: number[] = [];
  const fold: Store['fold'] = (subject, evolve, initial, known) =>
    store.fold(
      subject,
      (state, event) => {
        read.push(event.position.sequence);
        return evolve(state, event);
      },
      initial,
      known,
    );
  const tableNames = createStateCache<TableNames>({ sizeOf: tableNamesBytes });
  return { store: { ...store, fold }, tableNames, read };
}

it('a name is found by reading what was taken since the last one alone, also by another instance', async () => {
  const [here, elsewhere] = [startInstance(), startInstance()];
  const take = (instance: ReturnType<typeof startInstance>, tableId: number) =>
    takeTableName(instance, { projectId: 7, tableId, displayName: 'Orders' }, context);
  for (let tableId = 1; tableId <= 20; tableId += 1) await take(elsewhere, tableId);
  expect(await take(here, 21)).toBe('orders_21');
  expect(here.read).toHaveLength(20);
  expect(await take(here, 22)).toBe('orders_22');
  expect(await take(elsewhere, 23)).toBe('orders_23');
  expect(await take(here, 24)).toBe('orders_24');
  expect(here.read.slice(20)).toEqual([21, 22, 23]);
  expect(await take(here, 23)).toBe('orders_23');
});
