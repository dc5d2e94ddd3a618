import type { KeyUsage } from '@mneme/contracts';
import { mongoIdentity } from '@mneme/read-models';
import { chunks } from '@mneme/workers/chunks';
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
  /** Another one when the rows were lost. */
  identity(): Promise<string>;
}

/** How many rows are compared and written at a time. */
const rowsAtOnce = 1_000;

export function usageRows(db: Db): UsageRows {
  const rows: Collection<StoredUsage> = db.collection('access_key_usage');
  const find: UsageRows['find'] = async (keyHashes) => {
    const found = await rows.find({ _id: { $in: [...keyHashes] } }).toArray();
    return new Map(found.map(({ _id, ...usage }) => [_id, usage]));
  };
  return {
    raise: async (usages) => {
      for (const some of chunks([...usages], rowsAtOnce)) {
        // Another instance has written most of them, and when everything is read again, all of them are there.
        const stored = await find(some.map(([keyHash]) => keyHash));
        const higher = some.filter(([keyHash, usage]) => isHigher(usage, stored.get(keyHash)));
        const writes = higher.map(([_id, { requests, lastUsedAt }]) => ({
          updateOne: { filter: { _id }, update: { $max: { requests, lastUsedAt } }, upsert: true },
        }));
        if (writes.length > 0) await rows.bulkWrite(writes, { ordered: false });
      }
    },
    find,
    forget: async (keyHashes) => {
      for (const some of chunks(keyHashes, rowsAtOnce)) await rows.deleteMany({ _id: { $in: some } });
    },
    identity: async () => JSON.stringify(await mongoIdentity(db, [rows.collectionName])),
  };
}

function isHigher(usage: Usage, stored: Usage | undefined): boolean {
  return stored === undefined || usage.requests > stored.requests || usage.lastUsedAt > stored.lastUsedAt;
}
