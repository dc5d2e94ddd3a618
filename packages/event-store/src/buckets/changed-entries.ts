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
 * What was put into a bucket from a revision on, the newest of each key where the bucket keeps one; what was deleted is
 * left out. Much cheaper than a watch where the same keys change all the time.
 * @param from the first revision that is of interest; 1 for everything
 * @returns with the revision to go on from next time
 * @throws EventLogUnavailableError when no server with the bucket answers
 */
export async function changedEntries(
  connection: NatsConnection,
  bucket: string,
  from: number,
): Promise<{ entries: BucketEntry[]; next: number }> {
  const prefix = `$KV.${bucket}.`;
  const entries: BucketEntry[] = [];
  let next = from;
  const all = { subject: `${prefix}>`, from, maxBytes: Number.POSITIVE_INFINITY };
  for await (const page of readPages(openLog(connection, `KV_${bucket}`), all)) {
    for (const { subject, sequence, headers, data } of page) {
      next = sequence + 1;
      if (headers?.has('KV-Operation')) continue;
      const timeMs = Date.parse(headers?.last('Nats-Time-Stamp') ?? '');
      entries.push({ key: subject.slice(prefix.length), value: data, timeMs });
    }
  }
  return { entries, next };
}
