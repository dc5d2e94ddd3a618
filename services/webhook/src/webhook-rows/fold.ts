import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { AffectedRows, KnownDelivery } from './affected-rows.ts';
import { payloadText, tableOf, webhookOf } from './received.ts';
import type { StoredDelivery, StoredReplay, StoredTable, StoredWebhook } from './rows.ts';
import { SeenSenderDeliveries, senderDeliveryOf } from './sender-deliveries.ts';

/** What events change in the rows. */
export interface Folded {
  /** Null: the webhook is deleted. */
  readonly webhooks: Map<number, StoredWebhook | null>;
  readonly tables: Map<number, StoredTable>;
  readonly deliveries: Map<number, DeliveryChange>;
  readonly senderDeliveries: SeenSenderDeliveries;
  /** Webhooks whose logs are not found any more and are to be removed later. */
  readonly deleted: Set<number>;
}

/** The change of a delivery that is stored, or that comes with the events. */
export interface DeliveryChange {
  /** Undefined for a stored delivery. */
  readonly added: StoredDelivery | undefined;
  readonly before: KnownDelivery | undefined;
  readonly set: Partial<StoredDelivery>;
}

/** Works out what events change, in their order; pure. */
export function fold(affected: AffectedRows, events: readonly Recorded<WebhookEvent>[]): Folded {
  const folding = new Folding(affected);
  for (const event of events) folding.apply(event);
  return folding.folded;
}

type Event<T extends WebhookEvent['type']> = Recorded<WebhookEventOf<T>>;

const maxRecent = 5;

class Folding {
  readonly folded: Folded;
  readonly #affected: AffectedRows;

  constructor(affected: AffectedRows) {
    this.#affected = affected;
    this.folded = {
      webhooks: new Map(),
      tables: new Map(),
      deliveries: new Map(),
      senderDeliveries: new SeenSenderDeliveries(affected.senderDeliveries),
      deleted: new Set(),
    };
  }

  apply(event: Recorded<WebhookEvent>): void {
    switch (event.type) {
      case 'WebhookCreated':
        this.#create(event);
        break;
      case 'WebhookChanged': {
        const { webhookId, tokenHash, ...changed } = event.data;
        this.#changeWebhook(webhookId, () => changed);
        break;
      }
      case 'WebhookDeleted':
        this.folded.webhooks.set(event.data.webhookId, null);
        this.folded.deleted.add(event.data.webhookId);
        break;
      case 'CallReceived':
        this.#receive(event);
        break;
      case 'CallsProcessed':
        this.#process(event);
        break;
      case 'TableCreated':
        this.#createTable(event);
        break;
      case 'RowKept':
        this.#keepRow(event);
        break;
      case 'ReplayRequested':
      case 'CallReplayed':
      case 'ReplayQueued':
        this.#changeWebhook(event.data.webhookId, ({ replay }) => ({ replay: replayAfter(replay, event) }));
        break;
    }
  }

  #create({ data, time }: Event<'WebhookCreated'>): void {
    const { webhookId: _id, commandId, createdAt, ...created } = data;
    const unused = { totalCalls: 0, lastTriggeredAt: null, recentCallIds: [], replay: null };
    this.folded.webhooks.set(_id, { _id, ...created, createdAt: new Date(createdAt ?? time), ...unused });
  }

  #receive(event: Event<'CallReceived'>): void {
    const webhookId = webhookOf(event);
    const webhook = this.#webhook(webhookId);
    if (!webhook) return;
    const createdAt = new Date(event.time);
    const key = webhook.deduplicate ? senderDeliveryOf(event) : undefined;
    if (key !== undefined && this.folded.senderDeliveries.isRepeated(webhookId, key, createdAt)) return;
    const _id = event.position.sequence;
    const { sourceip = 'unknown' } = event.attributes;
    const added: StoredDelivery = {
      _id,
      webhookId,
      origin: webhookId,
      sourceIp: sourceip,
      createdAt,
      payload: payloadText(event.data),
      bytes: event.data.byteLength,
      status: 'received',
      processedAt: null,
      error: null,
    };
    this.folded.deliveries.set(_id, { added, before: undefined, set: {} });
    this.#changeWebhook(webhookId, ({ totalCalls, recentCallIds }) => ({
      totalCalls: totalCalls + 1,
      lastTriggeredAt: createdAt,
      recentCallIds: [_id, ...recentCallIds].slice(0, maxRecent),
    }));
  }

  #process({ data, time }: Event<'CallsProcessed'>): void {
    const { tableId, newColumns, calls: outcomes } = data;
    const processedAt = new Date(time);
    let rows = 0;
    for (const { callId: deliveryId, webhookId, error, replay } of outcomes) {
      const change = this.#delivery(deliveryId);
      // Repeated deliveries are not stored; those of a webhook that was deleted since are not found any more.
      if (!change || !this.#webhook(webhookId)) continue;
      if (error === null && !hasRow(change)) rows += 1;
      const outcome: Partial<StoredDelivery> =
        error === null
          ? { status: 'processed', processedAt, error: null, tableId }
          : { status: 'error', processedAt: null, error };
      this.folded.deliveries.set(deliveryId, { ...change, set: { ...change.set, ...outcome } });
      if (replay !== null) this.#countReplayed(webhookId, replay, error === null);
    }
    this.#changeTable(tableId, ({ columns, rowCount }) => ({
      columns: [...columns, ...newColumns],
      rowCount: rowCount + rows,
    }));
  }

  #countReplayed(webhookId: number, id: number, isProcessed: boolean): void {
    this.#changeWebhook(webhookId, ({ replay }) => {
      if (replay?.id !== id) return {};
      const { processed, failed } = replay;
      return { replay: { ...replay, ...(isProcessed ? { processed: processed + 1 } : { failed: failed + 1 }) } };
    });
  }

  #createTable({ data, time }: Event<'TableCreated'>): void {
    const { tableId: _id, projectId, name, displayName, columns } = data;
    const createdAt = new Date(time);
    this.folded.tables.set(_id, { _id, projectId, name, displayName, columns, createdAt, rowCount: 0 });
  }

  #keepRow(event: Event<'RowKept'>): void {
    const { callid, createdat, sourceip = 'unknown' } = event.attributes;
    const [tableId, deliveryId] = [tableOf(event), Number(callid)];
    const kept = { tableId, isKept: true };
    const change = this.#delivery(deliveryId);
    if (change) {
      this.folded.deliveries.set(deliveryId, { ...change, set: { ...change.set, ...kept } });
    } else {
      // A rebuild after the erasure: only this event has the payload.
      const added: StoredDelivery = {
        _id: deliveryId,
        payload: payloadText(event.data),
        bytes: event.data.byteLength,
        sourceIp: sourceip,
        createdAt: new Date(createdat ?? event.time),
        status: 'processed',
        processedAt: null,
        error: null,
        ...kept,
      };
      this.folded.deliveries.set(deliveryId, { added, before: undefined, set: kept });
    }
    if (!change || !hasRow(change)) this.#changeTable(tableId, ({ rowCount }) => ({ rowCount: rowCount + 1 }));
  }

  #webhook(webhookId: number): StoredWebhook | undefined {
    const folded = this.folded.webhooks.get(webhookId);
    return folded === undefined ? this.#affected.webhooks.get(webhookId) : (folded ?? undefined);
  }

  #changeWebhook(webhookId: number, change: (webhook: StoredWebhook) => Partial<StoredWebhook>): void {
    const webhook = this.#webhook(webhookId);
    if (webhook) this.folded.webhooks.set(webhookId, { ...webhook, ...change(webhook) });
  }

  #changeTable(tableId: number, change: (table: StoredTable) => Partial<StoredTable>): void {
    const table = this.folded.tables.get(tableId) ?? this.#affected.tables.get(tableId);
    if (table) this.folded.tables.set(tableId, { ...table, ...change(table) });
  }

  #delivery(deliveryId: number): DeliveryChange | undefined {
    const before = this.#affected.deliveries.get(deliveryId);
    return this.folded.deliveries.get(deliveryId) ?? (before && { added: undefined, before, set: {} });
  }
}

function hasRow({ set, before }: DeliveryChange): boolean {
  return (set.tableId ?? before?.tableId) !== undefined;
}

function replayAfter(
  replay: StoredReplay | null,
  event: Event<'ReplayRequested'> | Event<'CallReplayed'> | Event<'ReplayQueued'>,
): StoredReplay | null {
  if (event.type === 'ReplayRequested') {
    const { status, since, upTo, calls } = event.data;
    return {
      id: event.position.sequence,
      status,
      since: since === null ? null : new Date(since),
      upTo,
      calls,
      queued: 0,
      cursor: 0,
      isQueued: false,
      processed: 0,
      failed: 0,
    };
  }
  if (replay?.id !== event.data.replay || replay === null) return replay;
  if (event.type === 'ReplayQueued') return { ...replay, calls: event.data.calls, isQueued: true };
  return { ...replay, queued: replay.queued + 1, cursor: event.data.callId };
}
