import type { WebhookEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { Collection, Document, Filter, WithId } from 'mongodb';
import { tableOf, webhookOf } from './received.ts';
import type { StoredDelivery, StoredTable, StoredWebhook, WebhookCollections } from './rows.ts';
import { senderDeliveryOf } from './sender-deliveries.ts';

/** The fields of a stored delivery that folding needs. */
export type KnownDelivery = Pick<StoredDelivery, '_id' | 'webhookId' | 'tableId'>;

/** The rows that some events change, as they are before the events. */
export interface AffectedRows {
  readonly webhooks: ReadonlyMap<number, StoredWebhook>;
  readonly tables: ReadonlyMap<number, StoredTable>;
  readonly deliveries: ReadonlyMap<number, KnownDelivery>;
  /** When the senders' delivery ids were seen. */
  readonly senderDeliveries: ReadonlyMap<string, Date>;
}

/** Reads the stored rows that events change. */
export async function readAffected(
  rows: WebhookCollections,
  events: readonly Recorded<WebhookEvent>[],
): Promise<AffectedRows> {
  const ids = { webhooks: new Set<number>(), tables: new Set<number>(), deliveries: new Set<number>() };
  const received = new Set<number>();
  const senderDeliveryKeys = new Set<string>();
  for (const event of events) {
    collect(ids, event);
    if (event.type !== 'CallReceived') continue;
    received.add(event.position.sequence);
    const senderDelivery = senderDeliveryOf(event);
    if (senderDelivery !== undefined) senderDeliveryKeys.add(senderDelivery);
  }
  // Deliveries of these events are not stored before them.
  const storedIds = ids.deliveries.difference(received);
  const [webhooks, tables, deliveries, senderDeliveries] = await Promise.all([
    findIn(rows.webhooks, ids.webhooks),
    findIn(rows.tables, ids.tables),
    findIn(rows.deliveries, storedIds, { webhookId: 1, tableId: 1 }),
    findIn(rows.senderDeliveries, senderDeliveryKeys),
  ]);
  return {
    webhooks: byId(webhooks),
    tables: byId(tables),
    deliveries: byId<KnownDelivery>(deliveries),
    senderDeliveries: new Map(senderDeliveries.map(({ _id, at }) => [_id, at])),
  };
}

/** The rows of some ids; without ids there is no query. */
async function findIn<Id, R extends { readonly _id: Id }>(
  rows: Collection<R>,
  ids: ReadonlySet<Id>,
  projection?: Document,
): Promise<WithId<R>[]> {
  if (ids.size === 0) return [];
  const filter = { _id: { $in: [...ids] } } as Filter<R>;
  return rows.find(filter, projection ? { projection } : {}).toArray();
}

function collect(
  { webhooks, tables, deliveries }: Record<'webhooks' | 'tables' | 'deliveries', Set<number>>,
  event: Recorded<WebhookEvent>,
): void {
  switch (event.type) {
    case 'CallReceived':
      webhooks.add(webhookOf(event));
      break;
    case 'WebhookChanged':
    case 'WebhookDeleted':
    case 'CallReplayed':
    case 'ReplayRequested':
    case 'ReplayQueued':
      webhooks.add(event.data.webhookId);
      break;
    case 'CallsProcessed':
      tables.add(event.data.tableId);
      for (const { callId: deliveryId, webhookId } of event.data.calls) {
        deliveries.add(deliveryId);
        webhooks.add(webhookId);
      }
      break;
    case 'RowKept':
      tables.add(tableOf(event));
      deliveries.add(Number(event.attributes.callid));
  }
}

function byId<T extends { readonly _id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row._id, row]));
}
