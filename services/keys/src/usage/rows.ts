import type { KeyUsage } from '@mneme/contracts';
import type { Collection, Db } from 'mongodb';

/** How a key has been used; `_id` is its hash, so a regenerated key starts at 0. */
export interface StoredUsage {
  readonly _id: string;
  readonly requests: number;
  /** ISO 8601 in UTC with milliseconds. */
  readonly lastUsedAt: string;
}

export type Usage = Pick<KeyUsage, 'requests' | 'lastUsedAt'>;

/** The rows of usage. They are made of the gateways' records instead of the log, and have no versions. */
export interface UsageRows {
  /** Stores what the gateways have counted; a stored count never decreases. */
  raise(usages: ReadonlyMap<string, Usage>): Promise<void>;
  find(keyHashes: readonly string[]): Promise<ReadonlyMap<string, Usage>>;
  forget(keyHashes: readonly string[]): Promise<void>;
}

export function usageRows(db: Db): UsageRows {
  const rows: Collection<StoredUsage> = db.collection('access_key_usage');
  return {
    raise: async (usages) => {
      const writes = [...usages].map(([_id, { requests, lastUsedAt }]) => ({
        updateOne: { filter: { _id }, update: { $max: { requests, lastUsedAt } }, upsert: true },
      }));
      if (writes.length > 0) await rows.bulkWrite(writes, { ordered: false });
    },
    find: async (keyHashes) => {
      const found = await rows.find({ _id: { $in: [...keyHashes] } }).toArray();
      return new Map(found.map(({ _id, ...usage }) => [_id, usage]));
    },
    forget: async (keyHashes) => {
      await rows.deleteMany({ _id: { $in: [...keyHashes] } });
    },
  };
}
