import { bucketCheckpoint, WireError } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';

/**
 * Reads a record of a bucket that a service keeps. A missing record means an unknown key only if the bucket is filled,
 * which its checkpoint says.
 * @returns undefined when there is no record of the key
 * @throws WireError 503 `REBUILDING` when there is no record and the bucket is being rebuilt
 */
export async function readRecord(
  { bucket, watch }: { readonly bucket: KV; readonly watch: ConnectionWatch },
  key: string,
): Promise<KvEntry | undefined> {
  const find = async (name: string) => {
    const entry = await watch.ask(() => bucket.get(name));
    return entry?.operation === 'PUT' ? entry : undefined;
  };
  const found = await find(key);
  if (found) return found;
  if (!(await find(bucketCheckpoint))) throw notFilled();
  // The record may have been written between the two reads, and the checkpoint after it.
  return find(key);
}

function notFilled(): WireError {
  const message = 'Credentials cannot be checked while their records are made again; try again';
  return new WireError({ status: 503, code: 'REBUILDING', message, extra: { retry_after: 5 } });
}

/** @returns the revision of a compare-and-set write, or undefined when another write came first */
export async function ignoreConflict(write: Promise<number>): Promise<number | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof JetStreamApiError && conflictCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** The codes of a single server and of replicated streams. */
const conflictCodes: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);

/** Whether a bucket refused a write because it has reached its maximum size. */
export function isFull(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === maximumBytesExceeded;
}

const maximumBytesExceeded = 10_077;
