import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { ReadModelStore } from '../definition.ts';
import type { RecordBucket } from './record-bucket.ts';
import { foldEvent, inChunks, type RecordRules, writeInOrder } from './record-rules.ts';

export interface BucketStoreOptions<E extends DomainEvent, R extends { readonly sequence: number }> {
  readonly bucket: RecordBucket<R>;
  readonly rules: RecordRules<E, R>;
  /** Names the bucket, and what it is kept with. */
  readonly identity: () => Promise<Readonly<Record<string, string>>>;
  /** Called when events are applied. */
  readonly onApplied?: (events: readonly Recorded<E>[]) => void;
}

/**
 * Keeps a read model in a bucket. The records are written before the checkpoint moves: an instance that was overtaken,
 * or that repeats itself, does no harm, since no record is replaced by an older one.
 */
export function bucketStore<E extends DomainEvent, R extends { readonly sequence: number }>(
  options: BucketStoreOptions<E, R>,
): ReadModelStore<E, RecordBucket<R>> {
  const { bucket, identity, onApplied } = options;
  return {
    contents: bucket,
    create: () => bucket.make(),
    identity,
    apply: async ({ events }, commit) => {
      await applyTo(options, events);
      await commit(Number.POSITIVE_INFINITY, async () => undefined);
      onApplied?.(events);
    },
    acceptsWrites: () => bucket.rewriteCheckpoint(),
    count: async () => (await bucket.all()).size,
    drop: async () => undefined,
  };
}

async function applyTo<E extends DomainEvent, R extends { readonly sequence: number }>(
  { bucket, rules }: BucketStoreOptions<E, R>,
  events: readonly Recorded<E>[],
): Promise<void> {
  const before = new Map<string, R>();
  const keys = [...new Set(events.flatMap((event) => rules.keysOf(event)))];
  await inChunks(keys, async (key) => {
    const { record } = await bucket.read(key);
    if (record) before.set(key, record);
    return true;
  });
  const after = new Map(before);
  for (const event of events) foldEvent(rules, after, event);
  const changed = [...after].filter(([key, record]) => !isDeepStrictEqual(record, before.get(key)));
  await writeInOrder(rules, changed, (key, record) => bucket.write(key, record, rules));
}
