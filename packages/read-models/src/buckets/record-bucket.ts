import { bucketCheckpoint } from '@mneme/contracts';
import { type BucketOptions, ignoreConflict, openBucket, streamInfo } from '@mneme/event-store';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { isReplacedBy, type RecordRules } from './record-rules.ts';

/** What is under a key of a bucket; undefined when there is nothing that can be read. */
export interface StoredRecord<R> {
  readonly record: R | undefined;
  /** Of the key in the bucket; 0 when there never was anything under it. */
  readonly revision: number;
}

/** Of records that were written before forms were noted. */
export const firstForm = 1;

const checkpointSchema = z.object({
  sequence: z.int().min(0),
  /** Counts those who have moved it; missing where an earlier release has written it. */
  epoch: z.int().min(0).default(0),
  /** When the stream was created that the sequence is about. */
  log: z.string().nullable().default(null),
  /** An event that was applied, by which the log is recognised. */
  lastEvent: z.object({ sequence: z.int(), id: z.string() }).nullable().default(null),
  /** The id of the deferrals, which it has moved past; missing where an earlier release has written it. */
  deferrals: z.string().nullable().default(null),
  /** The lowest form that a record may have: those who move it write records of their own form. Missing where 0.1.0 has moved it. */
  form: z.int().default(firstForm),
});
/** How far a bucket is, and in which log. */
export type BucketCheckpoint = z.infer<typeof checkpointSchema>;
const maxAttempts = 5;
/** How long reading a whole bucket may take, in milliseconds. */
const readAllMs = 60_000;

/** Everything in a bucket but what was deleted. */
export async function allEntries(kv: KV): Promise<KvEntry[]> {
  const found: KvEntry[] = [];
  const entries = await kv.history();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    entries.stop();
  }, readAllMs);
  for await (const entry of entries) if (entry.operation === 'PUT') found.push(entry);
  clearTimeout(timer);
  if (isLate) throw new Error(`A bucket could not be read within ${readAllMs} ms`);
  return found;
}

type RecordBucketOptions<R> = BucketOptions & { readonly schema: z.ZodType<R> };

/**
 * Records that are derived from the log, each as of a sequence, with the checkpoint of their writer. A record is
 * replaced by compare-and-set, and by a later one only, so that no order of writers can bring an old one back.
 */
export class RecordBucket<R extends { readonly sequence: number }> {
  readonly name: string;
  readonly #connection: NatsConnection;
  readonly #kv: KV;
  readonly #options: RecordBucketOptions<R>;

  private constructor(connection: NatsConnection, kv: KV, options: RecordBucketOptions<R>) {
    this.#connection = connection;
    this.#kv = kv;
    this.#options = options;
    this.name = options.name;
  }

  static async open<R extends { readonly sequence: number }>(
    connection: NatsConnection,
    options: RecordBucketOptions<R>,
  ): Promise<RecordBucket<R>> {
    return new RecordBucket(connection, await openBucket(connection, options), options);
  }

  /** Makes the bucket again where it was deleted. */
  async make(): Promise<void> {
    await openBucket(this.#connection, this.#options);
  }

  async read(key: string): Promise<StoredRecord<R>> {
    return storedIn(await this.#kv.get(key), this.#options.schema);
  }

  /** Names the bucket and its checkpoint; what is missing, is left out. */
  async identity(): Promise<Record<string, string>> {
    const info = await streamInfo(this.#connection, `KV_${this.name}`);
    if (!info) return {};
    const { record } = await this.checkpoint();
    return {
      [`bucket ${this.name}`]: info.created,
      ...(record ? { [`checkpoint of bucket ${this.name}`]: 'there' } : {}),
    };
  }

  /** @returns false when the bucket has this record, or a later one */
  async write(key: string, record: R, rules: Pick<RecordRules<never, R>, 'isUnordered'>): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const kept = await this.read(key);
      if (!isReplacedBy(rules, kept.record, record)) return false;
      if (await this.replace(key, record, kept.revision)) return true;
      if (attempt === maxAttempts) throw new Error(`A record of ${this.name} was written by others again and again`);
    }
  }

  /** @returns false when the key has another revision by now */
  replace(key: string, value: R | BucketCheckpoint, revision: number): Promise<boolean> {
    const text = JSON.stringify(value);
    return isInTime(revision === 0 ? this.#kv.create(key, text) : this.#kv.update(key, text, revision));
  }

  /** @returns false when the key has another revision by now */
  remove(key: string, revision: number): Promise<boolean> {
    return isInTime(this.#kv.delete(key, { previousSeq: revision }));
  }

  /** Every record, and what is none under a key that should have one. */
  async all(): Promise<Map<string, StoredRecord<R>>> {
    const entries = (await allEntries(this.#kv)).filter(({ key }) => key !== bucketCheckpoint);
    return new Map(entries.map((entry) => [entry.key, storedIn(entry, this.#options.schema)]));
  }

  /** How far the records are written; undefined in a bucket that is not filled, or not there. */
  async checkpoint(): Promise<StoredRecord<BucketCheckpoint>> {
    const entry = await this.#kv.get(bucketCheckpoint).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    return storedIn(entry, checkpointSchema);
  }

  /** @returns false when it has another revision by now */
  writeCheckpoint(checkpoint: BucketCheckpoint, revision: number): Promise<boolean> {
    return this.replace(bucketCheckpoint, checkpoint, revision);
  }

  /** Writes the checkpoint as it is. @returns false when there is none, or it was moved meanwhile */
  async rewriteCheckpoint(): Promise<boolean> {
    const { record, revision } = await this.checkpoint();
    return record !== undefined && this.writeCheckpoint(record, revision);
  }

  /** Marks the bucket as not filled. @returns false when the checkpoint has another revision by now */
  removeCheckpoint(revision: number): Promise<boolean> {
    return this.remove(bucketCheckpoint, revision);
  }
}

function storedIn<T>(entry: KvEntry | null, schema: z.ZodType<T>): StoredRecord<T> {
  const revision = entry?.revision ?? 0;
  try {
    return { record: entry?.operation === 'PUT' ? schema.safeParse(entry.json()).data : undefined, revision };
  } catch {
    return { record: undefined, revision };
  }
}

/** Whether the stream of the bucket is gone. */
function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

async function isInTime(write: Promise<unknown>): Promise<boolean> {
  return (await ignoreConflict(write.then(() => true))) ?? false;
}
