import type { KV } from '@nats-io/kv';
import type { RecordBucket } from '../buckets.ts';

/** A bucket of which the server that is asked first is a revision behind the leader. */
export function laggingBucket(former: Record<string, unknown>, current: Record<string, unknown>): RecordBucket {
  const serverWith = (records: Record<string, unknown>) => {
    const get = async (key: string) => (key in records ? { operation: 'PUT', json: () => records[key] } : null);
    return { get } as unknown as KV;
  };
  return {
    bucket: serverWith(former),
    leader: serverWith(current),
    watch: { ask: (act) => act() } as RecordBucket['watch'],
  };
}
