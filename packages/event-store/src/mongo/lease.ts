import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { isDuplicateKey } from './duplicate-key.ts';

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly expiresAt: Date;
}

export interface LeaseOptions {
  readonly db: Db;
  readonly name: string;
  /** After how long without a renewal another instance may take over, in milliseconds. */
  readonly ttlMs: number;
}

/** The right to do something that one instance should do at a time. A matter of economy, not of safety: fence what must not be doubled. */
export interface Lease {
  /** Takes or renews it; true when it is held now. */
  renew(): Promise<boolean>;
  /** Gives it back, so that another instance need not wait for its end. */
  release(): Promise<void>;
}

const leaseCollection = 'projection_leases';

/** A lease kept in MongoDB, by the clock of its server. */
export function mongoLease({ db, name, ttlMs }: LeaseOptions): Lease {
  const leases = db.collection<LeaseDocument>(leaseCollection);
  const holder = randomUUID();
  // A lease that does not exist yet has no end, which MongoDB sorts before any time.
  const isFree = { $or: [{ $eq: ['$holder', holder] }, { $lt: ['$expiresAt', '$$NOW'] }] };
  const hold = {
    holder: { $cond: [isFree, holder, '$holder'] },
    expiresAt: { $cond: [isFree, { $add: ['$$NOW', ttlMs] }, '$expiresAt'] },
  };
  return {
    renew: async () => {
      try {
        const options = { upsert: true, returnDocument: 'after' } as const;
        const now = await leases.findOneAndUpdate({ _id: name }, [{ $set: hold }], options);
        return now?.holder === holder;
      } catch (error) {
        // Another instance has made it between this one's look and its insert.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    release: async () => {
      await leases.deleteOne({ _id: name, holder });
    },
  };
}

/** Whether somebody holds a lease now, by the clock of the server. */
export async function isLeased(db: Db, name: string): Promise<boolean> {
  const held = { _id: name, $expr: { $gte: ['$expiresAt', '$$NOW'] } };
  return (await db.collection<LeaseDocument>(leaseCollection).countDocuments(held, { limit: 1 })) > 0;
}
