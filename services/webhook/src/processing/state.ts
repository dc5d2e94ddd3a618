import type { RecordedColumn } from '@mneme/contracts';
import type { MongoWrite } from '@mneme/read-models';
import { LRUCache } from 'lru-cache';
import type { Collection, Db } from 'mongodb';
import type { StoredSenderDelivery } from '../delivery/sender-deliveries.ts';
import type { TableState } from '../table/decider.ts';
import { put } from '../webhook-rows/row-writes.ts';

/** What the processing of deliveries has to know of a webhook; one that is deleted stays, so that its end is known. */
export interface ProcessedWebhook {
  readonly _id: number;
  readonly tableId: number | null;
  readonly deduplicate: boolean;
  readonly isDeleted: boolean;
}

/** A table as it is after one of its events. */
export interface KnownTable extends TableState {
  /** The sequence of that event. */
  readonly revision: number;
}

interface StoredTableState {
  readonly _id: number;
  readonly columns: readonly RecordedColumn[];
  readonly upTo: number;
  readonly revision: number;
}

/** What the processing of deliveries remembers; no other part of the service reads or writes it. */
export interface MemoryCollections {
  readonly webhooks: Collection<ProcessedWebhook>;
  /** Snapshots of tables, so that no table is ever read from its beginning again. */
  readonly tables: Collection<StoredTableState>;
  readonly senderDeliveries: Collection<StoredSenderDelivery>;
}

export function memoryCollections(db: Db, version: number): MemoryCollections {
  const named = <T extends object>(name: string) => db.collection<T>(`webhook_processing_${name}@${version}`);
  return { webhooks: named('webhooks'), tables: named('tables'), senderDeliveries: named('deliveries') };
}

const maxCached = 2_000;

/** Reads and writes the memory, with what was used last at hand. */
export class ProcessingMemory {
  readonly rows: MemoryCollections;
  readonly #webhooks = new LRUCache<number, ProcessedWebhook>({ max: maxCached });
  readonly #tables = new LRUCache<number, KnownTable>({ max: maxCached });

  constructor(rows: MemoryCollections) {
    this.rows = rows;
  }

  /** Those that are known. */
  async webhooks(ids: ReadonlySet<number>): Promise<Map<number, ProcessedWebhook>> {
    const missing = [...ids].filter((id) => !this.#webhooks.has(id));
    if (missing.length > 0) {
      const found = await this.rows.webhooks.find({ _id: { $in: missing } }).toArray();
      for (const webhook of found) this.#webhooks.set(webhook._id, webhook);
    }
    return new Map([...ids].flatMap((id) => this.#webhooks.get(id) ?? []).map((webhook) => [webhook._id, webhook]));
  }

  /** @returns whether it was at hand, which says that nobody else has written for it lately */
  async table(tableId: number): Promise<{ table: KnownTable | undefined; isAtHand: boolean }> {
    const cached = this.#tables.get(tableId);
    if (cached) return { table: cached, isAtHand: true };
    const found = await this.rows.tables.findOne({ _id: tableId });
    if (!found) return { table: undefined, isAtHand: false };
    const { columns, upTo, revision } = found;
    return { table: { isThere: true, columns, upTo, revision }, isAtHand: false };
  }

  async senderDeliveries(names: ReadonlySet<string>): Promise<Map<string, Date>> {
    if (names.size === 0) return new Map();
    const found = await this.rows.senderDeliveries.find({ _id: { $in: [...names] } }).toArray();
    return new Map(found.map(({ _id, at }) => [_id, at]));
  }

  /** Keeps webhooks and tables at hand. @returns the writes that make them last */
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
      // Columns can be many and seldom change.
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

  /** Forgets what is at hand: it may not have been written, or somebody else may write from now on. */
  forget(): void {
    this.#webhooks.clear();
    this.#tables.clear();
  }
}
