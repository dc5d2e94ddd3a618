import type { WebhookEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { Collection, Document, Filter, WithId } from 'mongodb';
import { senderDeliveryName } from '../delivery/sender-deliveries.ts';
import type { StoredDelivery, StoredTable, StoredWebhook, WebhookCollections } from './rows.ts';

/** As much of a stored call as folding needs. */
export type KnownDelivery = Pick<StoredDelivery, '_id' | 'webhookId' | 'tableId'>;

/** The rows that some events are about, as they are before them. */
export interface AffectedRows {
  readonly webhooks: ReadonlyMap<number, StoredWebhook>;
  readonly tables: ReadonlyMap<number, StoredTable>;
  readonly deliveries: ReadonlyMap<number, KnownDelivery>;
  /** When delivery ids were seen. */
  readonly senderDeliveries: ReadonlyMap<string, Date>;
}

interface WithSubject {
  readonly subject: string;
}

/** The webhook of a call, which its subject names. */
export function webhookOf(event: WithSubject): number {
  return lastToken(event);
}

/** The table of a row, which its subject names. */
export function tableOf(event: WithSubject): number {
  return lastToken(event);
}

function lastToken({ subject }: WithSubject): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}

/** The name of a delivery that a sender has given an id; undefined for one without. */
export function senderDeliveryOf(event: Pick<Recorded<WebhookEvent>, 'subject' | 'attributes'>): string | undefined {
  const { deliveryid } = event.attributes;
  if (deliveryid === undefined) return undefined;
  return senderDeliveryName(webhookOf(event), deliveryid);
}

/** Reads what is there of all that events are about. */
export async function readAffected(
  rows: WebhookCollections,
  events: readonly Recorded<WebhookEvent>[],
): Promise<AffectedRows> {
  const ids = { webhooks: new Set<number>(), tables: new Set<number>(), deliveries: new Set<number>() };
  const received = new Set<number>();
  const senderDeliveryIds = new Set<string>();
  for (const event of events) {
    collect(ids, event);
    if (event.type !== 'CallReceived') continue;
    received.add(event.position.sequence);
    const senderDelivery = senderDeliveryOf(event);
    if (senderDelivery !== undefined) senderDeliveryIds.add(senderDelivery);
  }
  // What comes with these events is not there before them.
  const deliveryIds = ids.deliveries.difference(received);
  const [webhooks, tables, deliveries, senderDeliveries] = await Promise.all([
    findIn(rows.webhooks, ids.webhooks),
    findIn(rows.tables, ids.tables),
    findIn(rows.deliveries, deliveryIds, { webhookId: 1, tableId: 1 }),
    findIn(rows.senderDeliveries, senderDeliveryIds),
  ]);
  return {
    ...{ webhooks: byId(webhooks), tables: byId(tables), deliveries: byId<KnownDelivery>(deliveries) },
    senderDeliveries: new Map(senderDeliveries.map(({ _id, at }) => [_id, at])),
  };
}

/** Those of some ids; nobody is asked about none. */
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
      for (const { callId, webhookId } of event.data.calls) {
        deliveries.add(callId);
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
