import { bucketCheckpoint } from '@mneme/contracts';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { FencedError } from '../errors.ts';
import { type BucketOptions, makeBucket } from './make-bucket.ts';

/** What is under a key of a bucket; undefined when there is nothing that can be read. */
export interface Kept<R> {
  readonly record: R | undefined;
  /** Of the key in the bucket; 0 when there never was anything under it. */
  readonly revision: number;
}

const checkpointSchema = z.object({ sequence: z.int().min(0) });
const maxAttempts = 5;
/** How long reading a whole bucket may take, in milliseconds. */
const readAllMs = 60_000;

/** Makes a bucket unless it is there, and opens it for reads that ask the leader. */
export async function openBucket(connection: NatsConnection, options: BucketOptions): Promise<KV> {
  await makeBucket(connection, options);
  return new Kvm(connection).open(options.name, { allow_direct: false });
}

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

/**
 * Records that are derived from the log, each as of a sequence, with the checkpoint of whoever writes them. A record is
 * replaced by compare-and-set, and by a later one only, so that no order of writers can bring an old one back.
 */
export class RecordBucket<R extends { readonly sequence: number }> {
  readonly name: string;
  readonly #kv: KV;
  readonly #schema: z.ZodType<R>;
  readonly #make: () => Promise<unknown>;

  private constructor(options: { name: string; kv: KV; schema: z.ZodType<R>; make: () => Promise<unknown> }) {
    this.name = options.name;
    this.#kv = options.kv;
    this.#schema = options.schema;
    this.#make = options.make;
  }

  static async open<R extends { readonly sequence: number }>(
    connection: NatsConnection,
    options: BucketOptions & { readonly schema: z.ZodType<R> },
  ): Promise<RecordBucket<R>> {
    const { schema, ...bucket } = options;
    const { name } = bucket;
    const make = () => openBucket(connection, bucket);
    return new RecordBucket({ name, schema, kv: await make(), make });
  }

  /** Makes the bucket again where somebody has dropped it. */
  async make(): Promise<void> {
    await this.#make();
  }

  async read(key: string): Promise<Kept<R>> {
    const entry = await this.#kv.get(key);
    return { record: entry ? parsed(this.#schema, entry) : undefined, revision: entry?.revision ?? 0 };
  }

  /** @returns false when the bucket has this record, or a later one */
  async write(key: string, record: R): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const kept = await this.read(key);
      if (kept.record && kept.record.sequence >= record.sequence) return false;
      if (await this.replace(key, record, kept.revision)) return true;
      if (attempt === maxAttempts) throw new Error(`A record of ${this.name} was written by others again and again`);
    }
  }

  /** @returns false when the key has another revision by now */
  replace(key: string, value: R | z.infer<typeof checkpointSchema>, revision: number): Promise<boolean> {
    const text = JSON.stringify(value);
    return isInTime(revision === 0 ? this.#kv.create(key, text) : this.#kv.update(key, text, revision));
  }

  /** @returns false when the key has another revision by now */
  remove(key: string, revision: number): Promise<boolean> {
    return isInTime(this.#kv.delete(key, { previousSeq: revision }));
  }

  /** Every record, and what is none under a key that should have one. */
  async all(): Promise<Map<string, Kept<R>>> {
    const entries = (await allEntries(this.#kv)).filter(({ key }) => key !== bucketCheckpoint);
    return new Map(
      entries.map((entry) => [entry.key, { record: parsed(this.#schema, entry), revision: entry.revision }]),
    );
  }

  /** The sequence up to which the records are written; undefined in a new bucket. */
  async position(): Promise<number | undefined> {
    return (await this.#checkpoint()).record?.sequence;
  }

  /** @throws FencedError when the bucket is elsewhere than at `from` */
  async advance(from: number, to: number): Promise<void> {
    const { record, revision } = await this.#checkpoint();
    const isMoved = record?.sequence === from && (await this.replace(bucketCheckpoint, { sequence: to }, revision));
    if (!isMoved) throw new FencedError(this.name, from);
  }

  /** Says how far a bucket is that has no checkpoint, or one beyond the end of the log. */
  async begin(position: number, head: number): Promise<void> {
    const { record, revision } = await this.#checkpoint();
    if (record && record.sequence <= head) return;
    await this.replace(bucketCheckpoint, { sequence: position }, revision);
  }

  async #checkpoint(): Promise<Kept<z.infer<typeof checkpointSchema>>> {
    const entry = await this.#kv.get(bucketCheckpoint);
    return { record: entry ? parsed(checkpointSchema, entry) : undefined, revision: entry?.revision ?? 0 };
  }
}

function parsed<T>(schema: z.ZodType<T>, entry: KvEntry): T | undefined {
  if (entry.operation !== 'PUT') return undefined;
  try {
    return schema.safeParse(entry.json()).data;
  } catch {
    return undefined;
  }
}

/** On one server and on replicated streams. */
const conflictCodes: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);

async function isInTime(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && conflictCodes.has(error.code)) return false;
    throw error;
  }
}
