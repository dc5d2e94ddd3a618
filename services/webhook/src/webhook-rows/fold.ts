import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { payloadText } from '../delivery/received.ts';
import { SeenSenderDeliveries } from '../delivery/sender-deliveries.ts';
import { type AffectedRows, type KnownDelivery, senderDeliveryOf, tableOf, webhookOf } from './affected-rows.ts';
import type { StoredDelivery, StoredReplay, StoredTable, StoredWebhook } from './rows.ts';

/** What becomes of a call that was there before the events, or comes with them. */
export interface DeliveryChange {
  /** Undefined for one that was there. */
  readonly added: StoredDelivery | undefined;
  readonly before: KnownDelivery | undefined;
  readonly set: Partial<StoredDelivery>;
}

/** What events make of the rows. */
export interface Folded {
  /** Null: it goes. */
  readonly webhooks: Map<number, StoredWebhook | null>;
  readonly tables: Map<number, StoredTable>;
  readonly deliveries: Map<number, DeliveryChange>;
  readonly senderDeliveries: SeenSenderDeliveries;
  /** Webhooks whose logs nobody finds any more, and which are taken out later. */
  readonly deleted: Set<number>;
}

type Event<T extends WebhookEvent['type']> = Recorded<WebhookEventOf<T>>;

const recentDeliveries = 5;

/** Works out what events change, in their order; pure. */
export function fold(affected: AffectedRows, events: readonly Recorded<WebhookEvent>[]): Folded {
  const folding = new Folding(affected);
  for (const event of events) folding.apply(event);
  return folding.folded;
}

class Folding {
  readonly folded: Folded;
  readonly #affected: AffectedRows;

  constructor(affected: AffectedRows) {
    this.#affected = affected;
    const senderDeliveries = new SeenSenderDeliveries(affected.senderDeliveries);
    this.folded = {
      webhooks: new Map(),
      tables: new Map(),
      deliveries: new Map(),
      senderDeliveries,
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
        this.#delete(event.data.webhookId);
        break;
      case 'CallReceived':
        this.#receive(event);
        break;
      case 'CallsProcessed':
        this.#settle(event);
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

  #delete(webhookId: number): void {
    this.folded.webhooks.set(webhookId, null);
    this.folded.deleted.add(webhookId);
  }

  /** A delivery that was seen within a day before is no call of its own; which one that is, the log's order says. */
  #receive(event: Event<'CallReceived'>): void {
    const webhookId = webhookOf(event);
    const webhook = this.#webhook(webhookId);
    if (!webhook) return;
    const createdAt = new Date(event.time);
    const senderDelivery = webhook.deduplicate ? senderDeliveryOf(event) : undefined;
    if (senderDelivery !== undefined && this.folded.senderDeliveries.isRepeated(webhookId, senderDelivery, createdAt))
      return;
    const _id = event.position.sequence;
    const payload = payloadText(event.data);
    const { sourceip = 'unknown' } = event.attributes;
    const open = { status: 'received', processedAt: null, error: null } as const;
    const origin = { webhookId, origin: webhookId, sourceIp: sourceip, createdAt };
    const added: StoredDelivery = { _id, ...origin, payload, bytes: event.data.byteLength, ...open };
    this.folded.deliveries.set(_id, { added, before: undefined, set: {} });
    this.#changeWebhook(webhookId, ({ totalCalls, recentCallIds }) => ({
      ...{ totalCalls: totalCalls + 1, lastTriggeredAt: createdAt },
      recentCallIds: [_id, ...recentCallIds].slice(0, recentDeliveries),
    }));
  }

  #settle({ data, time }: Event<'CallsProcessed'>): void {
    const { tableId, newColumns, calls } = data;
    const processedAt = new Date(time);
    let rows = 0;
    for (const { callId, webhookId, error, replay } of calls) {
      const change = this.#delivery(callId);
      // A repeated delivery is no call, and what came in at a webhook that was deleted since is none any more.
      if (!change || !this.#webhook(webhookId)) continue;
      const hadRow = (change.set.tableId ?? change.before?.tableId) !== undefined;
      if (error === null && !hadRow) rows += 1;
      const outcome: Partial<StoredDelivery> =
        error === null
          ? { status: 'processed', processedAt, error: null, tableId }
          : { status: 'error', processedAt: null, error };
      this.folded.deliveries.set(callId, { ...change, set: { ...change.set, ...outcome } });
      if (replay !== null) this.#countReplayed(webhookId, replay, error === null);
    }
    this.#changeTable(tableId, ({ columns, rowCount }) => ({
      ...{ columns: [...columns, ...newColumns], rowCount: rowCount + rows },
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
    const [tableId, callId] = [tableOf(event), Number(callid)];
    const kept = { tableId, isKept: true };
    const change = this.#delivery(callId);
    const hadRow = (change?.set.tableId ?? change?.before?.tableId) !== undefined;
    if (change) {
      this.folded.deliveries.set(callId, { ...change, set: { ...change.set, ...kept } });
    } else {
      const came = { payload: payloadText(event.data), bytes: event.data.byteLength, sourceIp: sourceip };
      const settled = { createdAt: new Date(createdat ?? event.time), status: 'processed', processedAt: null } as const;
      const added = { _id: callId, ...came, ...settled, error: null, ...kept };
      this.folded.deliveries.set(callId, { added, before: undefined, set: kept });
    }
    if (!hadRow) this.#changeTable(tableId, ({ rowCount }) => ({ rowCount: rowCount + 1 }));
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

function replayAfter(
  replay: StoredReplay | null,
  event: Event<'ReplayRequested'> | Event<'CallReplayed'> | Event<'ReplayQueued'>,
): StoredReplay | null {
  if (event.type === 'ReplayRequested') {
    const { status, since, upTo, calls } = event.data;
    const begun = { queued: 0, cursor: 0, isQueued: false, processed: 0, failed: 0 };
    return {
      id: event.position.sequence,
      status,
      since: since === null ? null : new Date(since),
      upTo,
      calls,
      ...begun,
    };
  }
  if (replay?.id !== event.data.replay || replay === null) return replay;
  if (event.type === 'ReplayQueued') return { ...replay, calls: event.data.calls, isQueued: true };
  return { ...replay, queued: replay.queued + 1, cursor: event.data.callId };
}
