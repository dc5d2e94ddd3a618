import type { DeliveryStatus, RecordedColumn, SealedVerification } from '@mneme/contracts';
import type { Collection, Db } from 'mongodb';
import type { StoredSenderDelivery } from '../delivery/sender-deliveries.ts';

/** How far the newest replay of a webhook is. */
export interface StoredReplay {
  /** The sequence of the event that asked for it. */
  readonly id: number;
  readonly status: DeliveryStatus;
  readonly since: Date | null;
  /** The last call that it is about. */
  readonly upTo: number;
  /** How many calls it is about; an estimate until all are queued. */
  readonly calls: number;
  /** How many of them are queued, up to which call, and whether these are all. */
  readonly queued: number;
  readonly cursor: number;
  readonly isQueued: boolean;
  readonly processed: number;
  readonly failed: number;
}

/** `_id` is the webhook's number. */
export interface StoredWebhook {
  readonly _id: number;
  readonly projectId: number;
  readonly tableId: number | null;
  readonly name: string;
  readonly sealedToken: string;
  readonly tokenPrefix: string;
  readonly tokenHash: string;
  readonly isActive: boolean;
  readonly verification: SealedVerification;
  readonly deduplicate: boolean;
  readonly createdBy: number;
  readonly createdAt: Date;
  readonly totalCalls: number;
  readonly lastTriggeredAt: Date | null;
  /** The newest first. */
  readonly recentCallIds: readonly number[];
  readonly replay: StoredReplay | null;
}

export interface StoredTable {
  readonly _id: number;
  readonly projectId: number;
  readonly name: string;
  readonly displayName: string;
  readonly columns: readonly RecordedColumn[];
  readonly createdAt: Date;
  readonly rowCount: number;
}

/** A call, which is a log of its webhook and, once it became one, a row of a table. `_id` is its sequence in the log. */
export interface StoredDelivery {
  readonly _id: number;
  /** Whose log it is; missing when that webhook is deleted. */
  readonly webhookId?: number;
  /** Whose row it is; missing when it is none. */
  readonly tableId?: number;
  /** Where it came in, also after that is gone. */
  readonly origin?: number;
  readonly payload: string;
  /** Of the payload as UTF-8. */
  readonly bytes: number;
  readonly sourceIp: string;
  readonly createdAt: Date;
  readonly status: DeliveryStatus;
  readonly processedAt: Date | null;
  readonly error: string | null;
  /** Whether an event of its own keeps the row. */
  readonly isKept?: boolean;
}

/** A deleted webhook whose logs are still to be taken out. */
export interface PendingDeletion {
  readonly _id: number;
}

export interface WebhookCollections {
  readonly webhooks: Collection<StoredWebhook>;
  readonly tables: Collection<StoredTable>;
  readonly deliveries: Collection<StoredDelivery>;
  readonly senderDeliveries: Collection<StoredSenderDelivery>;
  readonly pendingDeletions: Collection<PendingDeletion>;
}

/** The collections of one version of the read model: `webhook_calls@1` and so on. */
export function webhookCollections(db: Db, version: number): WebhookCollections {
  const named = <T extends object>(name: string) => db.collection<T>(`webhook_${name}@${version}`);
  return {
    webhooks: named('webhooks'),
    tables: named('tables'),
    deliveries: named('calls'),
    senderDeliveries: named('deliveries'),
    pendingDeletions: named('leavings'),
  };
}

/** Creates what the queries rely on; does nothing where it exists. */
export async function createIndexes(collections: WebhookCollections): Promise<void> {
  const { webhooks, tables, deliveries, senderDeliveries } = collections;
  const logs = { partialFilterExpression: { webhookId: { $exists: true } } };
  const rows = { partialFilterExpression: { tableId: { $exists: true } } };
  await Promise.all([
    webhooks.createIndex({ projectId: 1, createdAt: -1, _id: -1 }),
    webhooks.createIndex({ tokenHash: 1 }),
    tables.createIndex({ projectId: 1, _id: -1 }),
    deliveries.createIndex({ webhookId: 1, _id: -1 }, logs),
    deliveries.createIndex({ webhookId: 1, status: 1, _id: 1 }, logs),
    deliveries.createIndex({ tableId: 1, _id: 1 }, rows),
    senderDeliveries.createIndex({ webhookId: 1, at: 1 }),
  ]);
}
