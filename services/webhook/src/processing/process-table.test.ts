import { type WebhookEvent, webhookStream, webhookSubjects } from '@mneme/contracts';
import { openLog } from '@mneme/event-store';
import { expect, it, vi } from 'vitest';
import { readColumns } from '../flatten/payload-columns.ts';
import { useWebhookLog } from '../testing/webhook-log.ts';
import type { FoundWork } from './find-work.ts';
import { processTable } from './process-table.ts';

const webhooks = useWebhookLog();

const context = { correlationId: 'test' };
const tableId = 3;
const subject = webhookSubjects.table(tableId);

it('waits before a decision that has met a conflict is made again', async () => {
  const { connection, store } = webhooks;
  const about = { tableId, projectId: 2, createdBy: 4, commandId: 'c' } as const;
  const created: WebhookEvent = {
    type: 'TableCreated',
    data: { ...about, name: 'orders', displayName: 'Orders', columns: [] },
  };
  await store.append(subject, [created], 0, context);
  const kept: WebhookEvent = { type: 'RowKept', data: new TextEncoder().encode('{}') };
  let conflicts = 0;
  const times: number[] = [];
  const contended: typeof store = {
    ...store,
    append: async (...args) => {
      times.push(performance.now());
      if (conflicts < 5) {
        conflicts += 1;
        const attributes = { callid: String(conflicts), createdat: new Date().toISOString() };
        await store.append(subject, [kept], 'any', { ...context, attributes });
      }
      return store.append(...args);
    },
  };
  using _ = vi.spyOn(Math, 'random').mockReturnValue(0.999);
  const log = openLog(connection, webhookStream.name);
  const deps = { store: contended, log, payloads: { read: async (text: string) => readColumns(text), close } };
  const state = { table: async () => ({ table: undefined, isCached: false }) };
  const table = await processTable({ ...deps, state }, tableId, [work(1_000)]);
  expect(table).toMatchObject({ upTo: 1_000, revision: await store.head() });
  expect(times).toHaveLength(6);
  for (const [index, atLeastMs] of [1, 3, 7, 15, 30].entries()) {
    expect((times[index + 1] ?? 0) - (times[index] ?? 0)).toBeGreaterThanOrEqual(atLeastMs);
  }
});

const close = async () => undefined;

function work(sequence: number): FoundWork {
  const received: WebhookEvent = { type: 'CallReceived', data: new TextEncoder().encode('{"n":1}') };
  const position = { stream: webhookStream.name, sequence };
  const event = { ...received, id: 'd', position, correlationId: 'test' } as FoundWork['event'];
  return { tableId, sequence, deliveryId: sequence, webhookId: 7, replay: null, event };
}
