import { FencedError } from '../errors.ts';
import type { LaneCheckpoint, LaneCheckpoints } from '../lanes/checkpoints.ts';
import type { BucketCheckpoint, RecordBucket } from './record-bucket.ts';

/** A bucket is one lane. */
const lane = 0;

/**
 * The checkpoint of a bucket, which is an entry of the bucket itself, so that both are lost together. It is moved by
 * compare-and-set, not in a transaction with the records; moving it to where it stands already does nothing.
 * @param deferrals the id of the deferrals, for a checkpoint that has none
 * @param form of the records that are written from the time of `fence` on
 */
export function bucketCheckpoints(
  bucket: RecordBucket<{ readonly sequence: number }>,
  deferrals: string | null,
  form: number,
): LaneCheckpoints {
  const find = async (): Promise<readonly LaneCheckpoint[]> => {
    const { record } = await bucket.checkpoint();
    if (!record) return [];
    const { sequence: position, log, lastEvent } = record;
    return [{ lane, position, log, lastEvent }];
  };
  const lowered = (record: BucketCheckpoint) => ({ ...record, form: Math.min(record.form, form) });
  return {
    // It is made when the bucket is filled.
    create: async () => undefined,
    read: find,
    fence: async (taken) => {
      const [{ epoch } = { epoch: 0 }] = taken;
      const { record, revision } = await bucket.checkpoint();
      // The leases may begin anew in a database that was lost, so that the newest holder need not have the largest epoch.
      if (record && (record.epoch !== epoch || record.deferrals === null || record.form > form)) {
        const fenced = { ...lowered(record), epoch, deferrals: record.deferrals ?? deferrals };
        if (!(await bucket.writeCheckpoint(fenced, revision))) throw new FencedError(bucket.name, record.sequence);
      }
      return find();
    },
    move: async ([move], log) => {
      if (!move) return;
      const { from, to, epoch } = move;
      const { record, revision } = await bucket.checkpoint();
      if (record?.epoch !== epoch) throw new FencedError(bucket.name, from);
      if (record.sequence === to) return;
      const lastEvent = move.lastEvent ?? record.lastEvent;
      const isMoved =
        record.sequence === from &&
        (await bucket.writeCheckpoint({ ...lowered(record), sequence: to, log, lastEvent }, revision));
      if (!isMoved) throw new FencedError(bucket.name, from);
    },
    retire: async () => undefined,
    drop: async () => undefined,
  };
}
