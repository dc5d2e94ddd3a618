import type { NatsConnection } from '@nats-io/nats-core';
import { readDirect } from '../log/reading/direct-read.ts';

/** A value in a bucket. */
export interface BucketEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

const pageSize = 1_000;
const timeoutMs = 5_000;

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
  for (let left = 1; left > 0; ) {
    const query = { stream: `KV_${bucket}`, subject: `${prefix}>`, from: next, limit: pageSize, timeoutMs };
    const page = await readDirect(connection, query);
    for (const { subject, sequence, headers, data } of page.messages) {
      if (!headers?.has('KV-Operation')) entries.push({ key: subject.slice(prefix.length), value: data });
      next = sequence + 1;
    }
    left = page.messages.length === 0 ? 0 : page.left;
  }
  return { entries, next };
}
