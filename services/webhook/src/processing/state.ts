import { type MongoWrite, put } from '@mneme/read-models';
import { LRUCache } from 'lru-cache';
import type { Collection, Db } from 'mongodb';
import type { TableState } from '../table/decider.ts';
import type { StoredSenderDelivery } from '../webhook-rows/sender-deliveries.ts';

/** The fields of a webhook that the processing needs. A deleted webhook stays, so that it is known to be deleted. */
export interface ProcessedWebhook {
  readonly _id: number;
  readonly tableId: number | null;
  readonly deduplicate: boolean;
  readonly isDeleted: boolean;
}

/** The state of a table after one of its events. */
export interface KnownTable extends TableState {
  /** The sequence of that event. */
  readonly revision: number;
}

interface StoredTableState extends Omit<KnownTable, 'isThere'> {
  readonly _id: number;
}

/** The stored state of the processing; no other part of the service reads or writes it. */
export interface ProcessingCollections {
  readonly webhooks: Collection<ProcessedWebhook>;
  /** Snapshots of tables, so that a table need not be read from its first event again. */
  readonly tables: Collection<StoredTableState>;
  readonly senderDeliveries: Collection<StoredSenderDelivery>;
}

export function processingCollections(db: Db, version: number): ProcessingCollections {
  const named = <T extends object>(name: string) => db.collection<T>(`webhook_processing_${name}@${version}`);
  return { webhooks: named('webhooks'), tables: named('tables'), senderDeliveries: named('deliveries') };
}

const maxCached = 2_000;

/** Reads and writes the state of the processing; caches webhooks and tables. */
export class ProcessingState {
  readonly rows: ProcessingCollections;
  #webhooks = cacheOf<ProcessedWebhook>();
  #tables = cacheOf<KnownTable>();

  constructor(rows: ProcessingCollections) {
    this.rows = rows;
  }

  /** Those of these webhooks that there are, whatever happens to the cache meanwhile. */
  async webhooks(ids: ReadonlySet<number>): Promise<Map<number, ProcessedWebhook>> {
    // What is read now may be out of date once the cache is forgotten; then it is remembered in the former one.
    const cache = this.#webhooks;
    const known = new Map<number, ProcessedWebhook>();
    for (const id of ids) {
      const webhook = cache.get(id);
      if (webhook) known.set(id, webhook);
    }
    const missing = [...ids].filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    for (const webhook of await this.rows.webhooks.find({ _id: { $in: missing } }).toArray()) {
      cache.set(webhook._id, webhook);
      known.set(webhook._id, webhook);
    }
    return known;
  }

  /** @returns with `isCached`, this instance was the last one to process the table */
  async table(tableId: number): Promise<{ table: KnownTable | undefined; isCached: boolean }> {
    const cached = this.#tables.get(tableId);
    if (cached) return { table: cached, isCached: true };
    const found = await this.rows.tables.findOne({ _id: tableId });
    if (!found) return { table: undefined, isCached: false };
    const { columns, upTo, revision } = found;
    return { table: { isThere: true, columns, upTo, revision }, isCached: false };
  }

  async senderDeliveries(keys: ReadonlySet<string>): Promise<Map<string, Date>> {
    if (keys.size === 0) return new Map();
    const found = await this.rows.senderDeliveries.find({ _id: { $in: [...keys] } }).toArray();
    return new Map(found.map(({ _id, at }) => [_id, at]));
  }

  /** Caches webhooks and tables. @returns the writes that store them */
  remember(webhooks: Iterable<ProcessedWebhook>, tables: ReadonlyMap<number, KnownTable>): MongoWrite[] {
    const writes: MongoWrite[] = [];
    for (const webhook of webhooks) {
      this.#webhooks.set(webhook._id, webhook);
      writes.push(put(this.rows.webhooks, webhook));
    }
    for (const [_id, table] of tables) {
      const before = this.#tables.get(_id);
      this.#tables.set(_id, table);
      const { columns, upTo, revision } = table;
      // Columns can be many, and they seldom change.
      const set = columns === before?.columns ? { upTo, revision } : { columns, upTo, revision };
      writes.push({
        name: 'updateOne',
        namespace: this.rows.tables.namespace,
        filter: { _id },
        update: { $set: set },
        upsert: true,
      });
    }
    return writes;
  }

  /** Empties the caches: their content may not be stored, or another instance may process from now on. */
  forget(): void {
    this.#webhooks = cacheOf();
    this.#tables = cacheOf();
  }
}

function cacheOf<T extends object>(): LRUCache<number, T> {
  return new LRUCache({ max: maxCached });
}
