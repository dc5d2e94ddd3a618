import type { NatsConnection } from '@nats-io/nats-core';
import { openLog } from '../log/log.ts';
import { readPages } from '../log/reading/load.ts';

/** A value in a bucket. */
export interface BucketEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** When it was stored, in milliseconds since 1970, by the clock of the server. */
  readonly timeMs: number;
}

/**
 * What was put into a bucket from a revision on, and the keys that were deleted; the newest of each key where the bucket keeps
 * one. Much cheaper than a watch where the same keys change all the time.
 * @param from the first revision that is of interest; 1 for everything
 * @returns with the revision to go on from next time
 * @throws EventLogUnavailableError when no server with the bucket answers
 */
export async function changedEntries(
  connection: NatsConnection,
  bucket: string,
  from: number,
): Promise<{ entries: BucketEntry[]; deleted: string[]; next: number }> {
  const prefix = `$KV.${bucket}.`;
  const entries: BucketEntry[] = [];
  const deleted: string[] = [];
  let next = from;
  const all = { subject: `${prefix}>`, from, maxBytes: Number.POSITIVE_INFINITY };
  for await (const page of readPages(openLog(connection, `KV_${bucket}`), all)) {
    for (const { subject, sequence, headers, data } of page) {
      next = sequence + 1;
      const key = subject.slice(prefix.length);
      const timeMs = Date.parse(headers?.last('Nats-Time-Stamp') ?? '');
      if (headers?.has('KV-Operation')) deleted.push(key);
      else entries.push({ key, value: data, timeMs });
    }
  }
  return { entries, deleted, next };
}
