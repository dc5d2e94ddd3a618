import type { TaskReply } from '@mneme/contracts';
import { bucketTime, changedEntries, ignoreConflict, makeBucket, storedEntry } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { refuseWhenFull } from '../errors.ts';
import { type GatewayBucketDeps, openGatewayBucket } from '../gateway-bucket.ts';

/** A task as it is stored. */
const taskRecordSchema = z.object({
  id: z.string(),
  kind: z.enum(['rebuild', 'verify']),
  target: z.string(),
  targetKind: z.enum(['read-model', 'service']),
  startedBy: z.int(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** When the gateway that waits for the result wrote this, by its own clock; former releases read it. */
  seenAt: z.string(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});
export type TaskRecord = z.infer<typeof taskRecordSchema>;

/** What a task does, to what. There is one record of each, the last one. */
export type TaskName = Pick<TaskRecord, 'kind' | 'target' | 'targetKind'>;

/** A task, and how long ago the gateway that waits for it was last heard of, in milliseconds by the clock of NATS. */
export interface AgedTask {
  readonly task: TaskRecord;
  readonly ageMs: number;
}

export interface StoredTask extends AgedTask {
  readonly revision: number;
}

/** Stores tasks of operators for all gateways. */
export interface TaskStore {
  find(name: TaskName): Promise<StoredTask | undefined>;
  /**
   * Replaces the record of `revision`; 0: there is none.
   * @returns the new revision; undefined when another gateway was faster
   * @throws WireError 503 when the bucket is full
   */
  put(task: TaskRecord, revision: number): Promise<number | undefined>;
  list(): Promise<AgedTask[]>;
}

/** A gateway that has reported nothing for this long counts as stopped, in milliseconds. */
const goneAfterMs = 30_000;
/** How often a gateway says that it still waits, in milliseconds. */
export const seenEveryMs = 5_000;

const bucketOptions = {
  name: 'operator-tasks',
  description: 'The last rebuild and verification of each read model',
  history: 1,
  maxBytes: 4 * 1_024 * 1_024,
} as const;

export async function openTaskStore(deps: GatewayBucketDeps): Promise<TaskStore> {
  const { bucket, ask } = await openGatewayBucket(deps, bucketOptions, makeBucket);
  return {
    find: async (name) => {
      const entry = await ask(() => storedEntry(bucket, keyOf(name)));
      if (!entry) return undefined;
      const ageMs = (await ask(() => bucketTime(bucket))) - entry.created.getTime();
      return { task: taskRecordSchema.parse(entry.json()), revision: entry.revision, ageMs };
    },
    put: (task, revision) =>
      ask(() => ignoreConflict(bucket.put(keyOf(task), JSON.stringify(task), { previousSeq: revision }))).catch(
        refuseWhenFull('There is no room to write down what is done; the bucket operator-tasks is full'),
      ),
    list: () => ask(() => readAll(deps.connection, bucket)),
  };
}

function keyOf({ kind, targetKind, target }: TaskName): string {
  return `${kind}.${targetKind}.${target}`;
}

/** The library's own list of keys may miss one that is written meanwhile; here it comes twice then. */
async function readAll(connection: NatsConnection, bucket: KV): Promise<AgedTask[]> {
  const { entries } = await changedEntries(connection, bucketOptions.name, 1);
  const now = await bucketTime(bucket);
  const newest = new Map(entries.map((entry) => [entry.key, entry]));
  return [...newest.values()].map(({ value, timeMs }) => ({
    task: taskRecordSchema.parse(JSON.parse(new TextDecoder().decode(value))),
    ageMs: now - timeMs,
  }));
}

/** The age is negative after the clock of NATS was set back; who still waits is heard of again soon. */
export function stateOf({ task: { finishedAt, error }, ageMs }: AgedTask): TaskReply['state'] {
  if (finishedAt !== null) return error === null ? 'completed' : 'failed';
  return Math.abs(ageMs) > goneAfterMs ? 'interrupted' : 'running';
}
