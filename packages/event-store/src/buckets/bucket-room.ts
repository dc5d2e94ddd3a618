import { WireError } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import { streamInfo } from '../log/ensure-stream.ts';
import { createBucketShares } from './bucket-shares.ts';

/** The room of a bucket for new records that stay. */
export interface BucketRoom {
  /**
   * Counts a new record of someone.
   * @throws WireError 503 when there is no room for it, also because its owner has filled as much as is left to others
   */
  take(owner: string, bytes: number): Promise<void>;
}

/** A record that is there may have to become larger, such as that of a key that is revoked: NATS refuses it in a full bucket. */
const usablePart = 0.9;
const dayMs = 24 * 60 * 60 * 1_000;
/** How long an entry counts for the user who has added it, in milliseconds. */
const countedMs = 30 * dayMs;

/** @param what the records are of, as callers know them, such as `API keys` */
export function createBucketRoom(
  connection: NatsConnection,
  name: string,
  what: string,
  clock?: () => number,
): BucketRoom {
  const freeBytes = async () => {
    const info = await streamInfo(connection, `KV_${name}`);
    // A bucket that was lost is filled again; it is no full one.
    if (!info || info.config.max_bytes < 0) return Infinity;
    return info.config.max_bytes * usablePart - info.state.bytes;
  };
  const shares = createBucketShares({ freeBytes, ttlMs: countedMs, factor: 1, ...(clock && { clock }) });
  return {
    take: async (owner, bytes) => {
      if (await shares.take(owner, bytes)) return;
      const message = `There is no room for more ${what}. The operator of Mneme has to enlarge the bucket ${name}`;
      throw new WireError({ status: 503, code: 'UNAVAILABLE', message });
    },
  };
}
