import type { KV, KvEntry } from '@nats-io/kv';

/** What a bucket has under a key; undefined when there is nothing, or it was deleted. */
export async function storedEntry(bucket: KV, key: string): Promise<KvEntry | undefined> {
  const entry = await bucket.get(key);
  return entry?.operation === 'PUT' ? entry : undefined;
}
