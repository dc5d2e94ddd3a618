import { isDeepStrictEqual } from 'node:util';
import type { FoldedLog } from './fold-log.ts';
import type { RecordBucket, StoredRecord } from './record-bucket.ts';
import { inChunks, type WriteOrder, writeInOrder } from './record-rules.ts';

export interface BucketRebuild<R extends { readonly sequence: number }> {
  readonly bucket: RecordBucket<R>;
  readonly rules: WriteOrder<R>;
  readonly fold: () => Promise<FoldedLog<R>>;
  /** The last sequence of the log. */
  readonly head: () => Promise<number>;
  /** Whether some aggregate waits, or has waited since the rebuild began, with events that were left out. */
  readonly isLeavingOut: () => Promise<boolean>;
}

export interface BucketFilling<R extends { readonly sequence: number }>
  extends Omit<BucketRebuild<R>, 'head' | 'isLeavingOut'> {
  /** What the records hold. */
  readonly form: number;
  /** Of the key of the checkpoint, which is missing. */
  readonly revision: number;
  /** The id of the deferrals that the checkpoint goes with. */
  readonly deferrals: string | null;
  /** @throws Error when another instance may fill the bucket by now */
  readonly assertHeld: () => void;
  /** Called before the bucket gets its checkpoint, which moves past events that could not be applied. */
  readonly onFailed: (failed: FoldedLog<R>['failed']) => Promise<void>;
}

export interface RebuiltBucket {
  readonly records: number;
  /** How many had to be written or taken out. */
  readonly changed: number;
  /** Records that may be wrong and are kept, because they may follow from events that the rebuild had to leave out. */
  readonly unverified: number;
  /** How far the log was read. */
  readonly position: number;
}

const maxRounds = 5;

/**
 * Makes a bucket what the log says it is, while it is read and kept up to date by others. What was written after the log
 * was read stays. While events of an aggregate are left out, nothing is taken out: a record may follow from later ones.
 */
export async function rebuildBucket<R extends { readonly sequence: number }>(
  rebuild: BucketRebuild<R>,
): Promise<RebuiltBucket> {
  const { bucket, rules } = rebuild;
  const { records, position, failed } = await rebuild.fold();
  const kept = await bucket.all();
  const head = await rebuild.head();
  const isWrong = ([key, record]: [string, R]) => isToBeWritten(record, kept.get(key)?.record, head);
  const written = await writeInOrder(rules, [...records].filter(isWrong), (key, record) =>
    bucket.replace(key, record, kept.get(key)?.revision ?? 0),
  );
  const orphans = [...kept].filter(([key, found]) => !records.has(key) && !isLater(found, position, head));
  const isPartial = failed.length > 0 || (await rebuild.isLeavingOut());
  const removed = await inChunks(isPartial ? [] : orphans, ([key, { revision }]) => bucket.remove(key, revision));
  const unverified = orphans.length - removed;
  return { records: records.size, changed: written + removed, unverified, position };
}

/**
 * Fills a bucket that is new, or holds what follows from another log: whatever is in it is replaced or taken out. It has
 * no checkpoint meanwhile, by which readers know that it is not filled.
 * @throws Error when another instance fills it, or has filled it: what that has written since may be of later events
 */
export async function fillBucket<R extends { readonly sequence: number }>({
  bucket,
  rules,
  fold,
  form,
  revision,
  deferrals,
  assertHeld,
  onFailed,
}: BucketFilling<R>): Promise<RebuiltBucket> {
  await bucket.make();
  const folded = await fold();
  const { records, position } = folded;
  let changed = 0;
  for (let round = 1; ; round += 1) {
    const kept = await bucket.all();
    // After they were read: of what is written under a checkpoint from now on, the revisions are others.
    if ((await bucket.checkpoint()).revision !== revision) throw filledByOthers(bucket);
    const wrong = [...records].filter(([key, record]) => !isDeepStrictEqual(record, kept.get(key)?.record));
    const orphans = [...kept].filter(([key]) => !records.has(key));
    if (wrong.length + orphans.length === 0) break;
    // An instance that does not know yet that the log is another one may still have written.
    if (round > maxRounds) throw new Error(`The bucket ${bucket.name} is written by others again and again`);
    changed += await writeInOrder(rules, wrong, async (key, record) => {
      assertHeld();
      return bucket.replace(key, record, kept.get(key)?.revision ?? 0);
    });
    changed += await inChunks(orphans, async ([key, orphan]) => {
      assertHeld();
      return bucket.remove(key, orphan.revision);
    });
  }
  assertHeld();
  await onFailed(folded.failed);
  assertHeld();
  const { createdAt: log, lastEvent } = folded;
  const checkpoint = { sequence: position, epoch: 0, log, lastEvent, deferrals, form };
  if (!(await bucket.writeCheckpoint(checkpoint, revision))) throw filledByOthers(bucket);
  return { records: records.size, changed, unverified: 0, position };
}

function filledByOthers({ name }: { readonly name: string }): Error {
  return new Error(`The bucket ${name} was filled by another instance meanwhile`);
}

/** Whether the bucket lacks a record. What claims to be from beyond the end of the log is of another log. */
function isToBeWritten<R extends { readonly sequence: number }>(
  record: R,
  found: R | undefined,
  head: number,
): boolean {
  if (!found || found.sequence > head) return true;
  return found.sequence <= record.sequence && !isDeepStrictEqual(found, record);
}

function isLater<R extends { readonly sequence: number }>(
  { record }: StoredRecord<R>,
  position: number,
  head: number,
): boolean {
  return record !== undefined && record.sequence > position && record.sequence <= head;
}
