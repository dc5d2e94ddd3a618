import { bucketCheckpoint, WireError } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
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
