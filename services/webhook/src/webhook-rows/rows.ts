import type { DeliveryStatus, RecordedColumn, SealedVerification } from '@mneme/contracts';
import { makeIndexes } from '@mneme/read-models';
import type { Collection, Db } from 'mongodb';
import type { StoredSenderDelivery } from './sender-deliveries.ts';

/** The progress of the newest replay of a webhook. */
export interface StoredReplay {
  /** The sequence of the event that requested it. */
  readonly id: number;
  readonly status: DeliveryStatus;
  readonly since: Date | null;
  /** The last delivery to replay. */
  readonly upTo: number;
  /** The number of deliveries to replay; an estimate until all are queued. */
  readonly calls: number;
  /** The number of deliveries that are queued. */
  readonly queued: number;
  /** The last delivery that is queued. */
  readonly cursor: number;
  /** Whether all deliveries are queued. */
  readonly isQueued: boolean;
  readonly processed: number;
  readonly failed: number;
}

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
  /** The number of its deliveries. */
  readonly totalCalls: number;
  readonly lastTriggeredAt: Date | null;
  /** The ids of its newest deliveries, the newest first. */
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

/** A delivery: a log of its webhook and, once it is processed, a row of a table. `_id` is its sequence in the event log. */
export interface StoredDelivery {
  readonly _id: number;
  /** The webhook whose log it is; missing once that webhook is deleted. */
  readonly webhookId?: number;
  /** The table whose row it is; missing if it is no row. */
  readonly tableId?: number;
  /** The webhook that received it, also after that is deleted. */
  readonly origin?: number;
  readonly payload: string;
  /** The length of the payload in UTF-8. */
  readonly bytes: number;
  readonly sourceIp: string;
  readonly createdAt: Date;
  readonly status: DeliveryStatus;
  readonly processedAt: Date | null;
  readonly error: string | null;
  /** Whether a `RowKept` event keeps the row. */
  readonly isKept?: boolean;
}

/** A deleted webhook whose logs are not removed yet. */
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

/** The collections of one version of the read model: `webhook_calls@1` and so on. Some names are older than the code's. */
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

/** Covers which deliveries a replay has, so that none is fetched with its payload to compare its time. */
export const replayIndex = { name: 'replays', key: { webhookId: 1, status: 1, _id: 1, createdAt: 1 } } as const;

/** Creates the indexes of the queries; does nothing where they exist. */
export async function createIndexes(collections: WebhookCollections): Promise<void> {
  const { webhooks, tables, deliveries, senderDeliveries } = collections;
  const logs = { partialFilterExpression: { webhookId: { $exists: true } } };
  const rows = { partialFilterExpression: { tableId: { $exists: true } } };
  await makeIndexes([
    [
      webhooks,
      [{ key: { projectId: 1, createdAt: -1, _id: -1 } }, { key: { tokenHash: 1 } }, { key: { createdBy: 1 } }],
    ],
    [tables, [{ key: { projectId: 1, _id: -1 } }]],
    [
      deliveries,
      [
        { key: { webhookId: 1, _id: -1 }, ...logs },
        { ...replayIndex, ...logs },
        { key: { tableId: 1, _id: 1 }, ...rows },
      ],
    ],
    [senderDeliveries, [{ key: { webhookId: 1, at: 1 } }]],
  ]);
}
