import type { DomainEvent } from '@mneme/contracts';
import { FencedError } from '../errors.ts';
import type { Projection } from '../projection/projection.ts';
import type { Recorded } from '../recorded.ts';
import type { RecordBucket } from './record-bucket.ts';
import { foldEvent, type RecordRules } from './record-rules.ts';
import { inChunks, writeInOrder } from './write-in-order.ts';

export interface BucketProjectionOptions<E extends DomainEvent, R extends { readonly sequence: number }> {
  readonly bucket: RecordBucket<R>;
  readonly rules: RecordRules<E, R>;
  /** Fills an empty bucket in one go and says how far it is then. */
  readonly fill: () => Promise<number>;
  /** Called when events are applied. */
  readonly onApplied?: (events: readonly Recorded<E>[]) => void;
}

/**
 * Keeps a bucket up to date, with its checkpoint in the bucket itself. A projector that was overtaken, or that repeats
 * itself, does no harm: no record is replaced by an older one.
 */
export function bucketProjection<E extends DomainEvent, R extends { readonly sequence: number }>(
  options: BucketProjectionOptions<E, R>,
): Projection<E> {
  const { bucket, rules } = options;
  return {
    ...{ name: `${bucket.name}-bucket`, version: 1, types: rules.types },
    // Filled event by event, a revoked key would open doors until its end is reached.
    readPosition: async () => (await bucket.position()) ?? options.fill(),
    apply: async (events, { from, to }) => {
      try {
        if ((await bucket.position()) !== from) throw new FencedError(bucket.name, from);
        await applyTo(options, events);
        await bucket.advance(from, to);
      } catch (error) {
        // It may be gone; the next try then finds it empty.
        if (!(error instanceof FencedError)) await bucket.make();
        throw error;
      }
      options.onApplied?.(events);
    },
  };
}

async function applyTo<E extends DomainEvent, R extends { readonly sequence: number }>(
  { bucket, rules }: BucketProjectionOptions<E, R>,
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
  const changed = [...after].filter(([key, record]) => record !== before.get(key));
  await writeInOrder(rules, changed, (key, record) => bucket.write(key, record));
}
