import { isDeepStrictEqual } from 'node:util';
import type { FoldedLog } from './fold-log.ts';
import type { Kept, RecordBucket } from './record-bucket.ts';
import { inChunks, writeInOrder } from './write-in-order.ts';

export interface BucketRebuild<R extends { readonly sequence: number }> {
  readonly bucket: RecordBucket<R>;
  readonly rules: { hasEnded(record: R): boolean };
  readonly fold: () => Promise<FoldedLog<R>>;
  /** The last sequence of the log. */
  readonly head: () => Promise<number>;
}

export interface RebuiltBucket {
  readonly records: number;
  /** How many had to be written or taken out. */
  readonly changed: number;
  /** How far the log was read. */
  readonly position: number;
}

/**
 * Makes a bucket what the log says it is, while it is read and kept up to date by others. What was written after the log
 * was read stays.
 */
export async function rebuildBucket<R extends { readonly sequence: number }>(
  rebuild: BucketRebuild<R>,
): Promise<RebuiltBucket> {
  const { bucket, rules } = rebuild;
  await bucket.make();
  const { records, position } = await rebuild.fold();
  const kept = await bucket.all();
  const head = await rebuild.head();
  const isWrong = ([key, record]: [string, R]) => isReplacedBy(record, kept.get(key)?.record, head);
  const written = await writeInOrder(rules, [...records].filter(isWrong), (key, record) =>
    bucket.replace(key, record, kept.get(key)?.revision ?? 0),
  );
  const strays = [...kept].filter(([key, found]) => !records.has(key) && !isLater(found, position, head));
  const removed = await inChunks(strays, ([key, { revision }]) => bucket.remove(key, revision));
  await bucket.begin(position, head);
  return { records: records.size, changed: written + removed, position };
}

/** What claims to be from beyond the end of the log is of another log. */
function isReplacedBy<R extends { readonly sequence: number }>(record: R, found: R | undefined, head: number): boolean {
  if (!found || found.sequence > head) return true;
  return found.sequence <= record.sequence && !isDeepStrictEqual(found, record);
}

function isLater<R extends { readonly sequence: number }>(
  { record }: Kept<R>,
  position: number,
  head: number,
): boolean {
  return record !== undefined && record.sequence > position && record.sequence <= head;
}
