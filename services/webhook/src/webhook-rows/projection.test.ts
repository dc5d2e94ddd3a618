import { defaultColumns, type WebhookEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { webhookDeleted as deleted, newWebhook } from '../testing/webhook-events.ts';
import { fold } from './fold.ts';
import type { StoredDelivery, StoredTable, StoredWebhook } from './rows.ts';

const columns = [...defaultColumns];
const time = '2026-01-01T00:00:00.000Z';
const tableCreated: WebhookEvent = {
  type: 'TableCreated',
  data: { tableId: 3, projectId: 2, name: 'orders', displayName: 'Orders', columns, createdBy: 4, commandId: 'c' },
};
const webhookCreated: WebhookEvent = { type: 'WebhookCreated', data: newWebhook({ deduplicate: true }) };
const body = new TextEncoder().encode('{"a":1}');
const received: WebhookEvent = { type: 'CallReceived', data: body };
const column = { columnName: 'a', displayName: 'a', type: 'number' } as const;
const processed = (deliveryId: number, error: string | null = null, replay: number | null = null): WebhookEvent => ({
  type: 'CallsProcessed',
  data: {
    tableId: 3,
    upTo: deliveryId,
    newColumns: error ? [] : [column],
    calls: [{ callId: deliveryId, webhookId: 7, error, replay }],
  },
});
const kept = (callid: string) =>
  [
    { type: 'RowKept', data: body },
    { callid, createdat: time },
  ] as const;

type Given = WebhookEvent | readonly [WebhookEvent, Readonly<Record<string, string>>];

/** As they are read from the log, from sequence 1 on; an event may come with its attributes. */
function recorded(given: readonly Given[]): Recorded<WebhookEvent>[] {
  return given.map((each, index) => {
    const [event, attributes] = 'type' in each ? [each, {}] : each;
    const ofTable = ['TableCreated', 'CallsProcessed', 'RowKept'].includes(event.type);
    const subject = ofTable
      ? 'webhooks.table.3'
      : event.type === 'CallReceived'
        ? 'webhooks.call.7'
        : 'webhooks.webhook.7';
    const sequence = index + 1;
    return {
      ...event,
      subject,
      time,
      attributes,
      position: { stream: 'WEBHOOKS', sequence },
    } as Recorded<WebhookEvent>;
  });
}

/** The rows after the events were applied, `batchSize` of them at a time. */
function given(events: readonly Given[], batchSize = 1) {
  const webhooks = new Map<number, StoredWebhook>();
  const tables = new Map<number, StoredTable>();
  const deliveries = new Map<number, StoredDelivery>();
  const senderDeliveries = new Map<string, Date>();
  const all = recorded(events);
  for (let from = 0; from < all.length; from += batchSize) {
    const folded = fold({ webhooks, tables, deliveries, senderDeliveries }, all.slice(from, from + batchSize));
    for (const [id, row] of folded.webhooks) row ? webhooks.set(id, row) : webhooks.delete(id);
    for (const [id, row] of folded.tables) tables.set(id, row);
    for (const [id, { added, set }] of folded.deliveries) {
      deliveries.set(id, { ...(added ?? deliveries.get(id)), ...set } as StoredDelivery);
    }
    for (const [key, { at }] of folded.senderDeliveries.added) senderDeliveries.set(key, at);
  }
  return { webhook: webhooks.get(7), table: tables.get(3), deliveries: [...deliveries.values()] };
}

const batchSizes = [1, 2, 100];

it.each(batchSizes)('a processed delivery is a log and a row, in batches of %s', (batchSize) => {
  const { webhook, table, deliveries } = given([tableCreated, webhookCreated, received, processed(3)], batchSize);
  expect(webhook).toMatchObject({ totalCalls: 1, recentCallIds: [3], lastTriggeredAt: new Date(time) });
  expect(table).toMatchObject({ rowCount: 1, columns: [...columns, column] });
  expect(deliveries).toEqual([
    {
      _id: 3,
      webhookId: 7,
      origin: 7,
      tableId: 3,
      payload: '{"a":1}',
      bytes: 7,
      sourceIp: 'unknown',
      createdAt: new Date(time),
      status: 'processed',
      processedAt: new Date(time),
      error: null,
    },
  ]);
});

it.each(batchSizes)('a delivery that fails is no row until a replay of it succeeds, in batches of %s', (batchSize) => {
  const failed = [tableCreated, webhookCreated, received, processed(3, 'no JSON')];
  const { table, deliveries } = given(failed, batchSize);
  expect([table?.rowCount, deliveries[0]?.status, deliveries[0]?.error]).toEqual([0, 'error', 'no JSON']);
  const replayed = given([...failed, processed(3), processed(3)], batchSize);
  expect([replayed.table?.rowCount, replayed.deliveries[0]?.status]).toEqual([1, 'processed']);
});

it.each(batchSizes)("a delivery with a sender's id that was seen is dropped, in batches of %s", (batchSize) => {
  const named = [received, { deliveryid: 'd' }] as const;
  const { webhook, deliveries } = given([webhookCreated, named, named, received], batchSize);
  expect([webhook?.totalCalls, deliveries.map(({ _id }) => _id)]).toEqual([2, [2, 4]]);
});

it.each(batchSizes)('the newest replay counts its deliveries, in batches of %s', (batchSize) => {
  const request = { webhookId: 7, status: 'error', since: null, upTo: 3, calls: 1, commandId: 'r' } as const;
  const events: WebhookEvent[] = [
    ...[tableCreated, webhookCreated, received, processed(3, 'no JSON')],
    { type: 'ReplayRequested', data: request },
    { type: 'CallReplayed', data: { webhookId: 7, callId: 3, replay: 5 } },
    processed(3, 'no JSON', 5),
    processed(3, null, 4),
    { type: 'ReplayQueued', data: { webhookId: 7, replay: 5, calls: 1 } },
  ];
  const progress = { id: 5, calls: 1, queued: 1, cursor: 3, isQueued: true, processed: 0, failed: 1 };
  expect(given(events, batchSize).webhook?.replay).toMatchObject(progress);
});

it.each(batchSizes)(
  'rows of a deleted webhook stay, also in a rebuild without its deliveries, in batches of %s',
  (batchSize) => {
    const whole = [tableCreated, webhookCreated, received, processed(3), deleted, kept('3')];
    const { webhook, table, deliveries } = given(whole, batchSize);
    expect([webhook, table?.rowCount]).toEqual([undefined, 1]);
    expect(deliveries).toMatchObject([{ _id: 3, tableId: 3, isKept: true }]);
    const erased = given([tableCreated, webhookCreated, processed(3), deleted, kept('3')], batchSize);
    expect(erased.table?.rowCount).toBe(1);
    expect(erased.deliveries).toMatchObject([
      { _id: 3, tableId: 3, isKept: true, payload: '{"a":1}', status: 'processed' },
    ]);
  },
);
