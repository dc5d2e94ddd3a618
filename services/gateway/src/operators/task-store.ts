import type { TaskReply } from '@mneme/contracts';
import { changedEntries, ignoreConflict, makeBucket, storedEntry } from '@mneme/event-store';
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
  /** When the gateway that waits for the result was last heard of. */
  seenAt: z.string(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});
export type TaskRecord = z.infer<typeof taskRecordSchema>;

/** What a task does, to what. There is one record of each, the last one. */
export type TaskName = Pick<TaskRecord, 'kind' | 'target' | 'targetKind'>;

export interface StoredTask {
  readonly task: TaskRecord;
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
  list(): Promise<TaskRecord[]>;
}

/** A gateway that was not heard of for so long is taken for gone, in milliseconds. */
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
      return entry && { task: taskRecordSchema.parse(entry.json()), revision: entry.revision };
    },
    put: (task, revision) =>
      ask(() => ignoreConflict(bucket.put(keyOf(task), JSON.stringify(task), { previousSeq: revision }))).catch(
        refuseWhenFull('There is no room to write down what is done; the bucket operator-tasks is full'),
      ),
    list: () => ask(() => readAll(deps.connection)),
  };
}

function keyOf({ kind, targetKind, target }: TaskName): string {
  return `${kind}.${targetKind}.${target}`;
}

/** The library's own list of keys may miss one that is written meanwhile; here it comes twice then. */
async function readAll(connection: NatsConnection): Promise<TaskRecord[]> {
  const { entries } = await changedEntries(connection, bucketOptions.name, 1);
  const newest = new Map(entries.map(({ key, value }) => [key, value]));
  return [...newest.values()].map((value) => taskRecordSchema.parse(JSON.parse(new TextDecoder().decode(value))));
}

/** @param now milliseconds since 1970 */
export function stateOf({ finishedAt, error, seenAt }: TaskRecord, now: number): TaskReply['state'] {
  if (finishedAt !== null) return error === null ? 'completed' : 'failed';
  return now - Date.parse(seenAt) > goneAfterMs ? 'interrupted' : 'running';
}
