import { createHash } from 'node:crypto';
import type { WebhookEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { StoredCall, StoredTable, StoredWebhook, WebhookCollections } from './collections.ts';

/** As much of a stored call as folding needs. */
export type KnownCall = Pick<StoredCall, '_id' | 'webhookId' | 'tableId'>;

/** The rows that some events are about, as they are before them. */
export interface TouchedRows {
  readonly webhooks: ReadonlyMap<number, StoredWebhook>;
  readonly tables: ReadonlyMap<number, StoredTable>;
  readonly calls: ReadonlyMap<number, KnownCall>;
  /** When delivery ids were seen. */
  readonly deliveries: ReadonlyMap<string, Date>;
}

interface WithSubject {
  readonly subject: string;
}

/** The webhook of a call, which its subject names. */
export function webhookOfCall(event: WithSubject): number {
  return lastToken(event);
}

/** The table of a row, which its subject names. */
export function tableOfRow(event: WithSubject): number {
  return lastToken(event);
}

function lastToken({ subject }: WithSubject): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}

/** The name of a delivery that a sender has given an id; undefined for one without. */
export function deliveryOf(event: Pick<Recorded<WebhookEvent>, 'subject' | 'attributes'>): string | undefined {
  const { deliveryid } = event.attributes;
  if (deliveryid === undefined) return undefined;
  return `${webhookOfCall(event)} ${createHash('sha256').update(deliveryid).digest('hex')}`;
}

/** Reads what is there of all that events are about. */
export async function readTouched(
  rows: WebhookCollections,
  events: readonly Recorded<WebhookEvent>[],
): Promise<TouchedRows> {
  const ids = { webhooks: new Set<number>(), tables: new Set<number>(), calls: new Set<number>() };
  const deliveryIds = new Set<string>();
  for (const event of events) {
    collect(ids, event);
    const delivery = event.type === 'CallReceived' ? deliveryOf(event) : undefined;
    if (delivery !== undefined) deliveryIds.add(delivery);
  }
  const [webhooks, tables, calls, deliveries] = await Promise.all([
    rows.webhooks.find({ _id: { $in: [...ids.webhooks] } }).toArray(),
    rows.tables.find({ _id: { $in: [...ids.tables] } }).toArray(),
    rows.calls.find({ _id: { $in: [...ids.calls] } }, { projection: { webhookId: 1, tableId: 1 } }).toArray(),
    rows.deliveries.find({ _id: { $in: [...deliveryIds] } }).toArray(),
  ]);
  return {
    ...{ webhooks: byId(webhooks), tables: byId(tables), calls: byId<KnownCall>(calls) },
    deliveries: new Map(deliveries.map(({ _id, at }) => [_id, at])),
  };
}

function collect(
  { webhooks, tables, calls }: Record<'webhooks' | 'tables' | 'calls', Set<number>>,
  event: Recorded<WebhookEvent>,
): void {
  switch (event.type) {
    case 'CallReceived':
      webhooks.add(webhookOfCall(event));
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
        calls.add(callId);
        webhooks.add(webhookId);
      }
      break;
    case 'RowKept':
      tables.add(tableOfRow(event));
      calls.add(Number(event.attributes.callid));
  }
}

function byId<T extends { readonly _id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row._id, row]));
}
