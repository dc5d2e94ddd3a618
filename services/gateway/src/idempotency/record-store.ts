import { WireError } from '@mneme/contracts';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { type IdempotencyRecord, idempotencyRecordSchema } from './record.ts';

/** How long a key is remembered, in milliseconds. */
const keepMs = 24 * 60 * 60 * 1_000;
/** Room that the headers of a message take within `max_payload`, in bytes. */
const headroom = 1_024;
/** A record may run out, or not be on the asked replica yet, between a refused create and the read after it. */
const maxAttempts = 3;

export interface StoredRecord {
  readonly record: IdempotencyRecord;
  readonly revision: number;
}

/** Where records are kept for 24 hours. */
export interface RecordStore {
  /** Writes `record` unless there is one; returns what is there now. */
  createOrGet(key: string, record: IdempotencyRecord): Promise<StoredRecord>;
  /** Replaces the record of that revision; does nothing when it has been replaced, or when it is too large to keep. */
  replace(key: string, stored: StoredRecord): Promise<void>;
}

/** Keeps records in a NATS KV bucket, which all gateways share. */
export async function openRecordStore(connection: NatsConnection, replicas: number): Promise<RecordStore> {
  const bucket = await new Kvm(connection).create('idempotency', {
    description: 'First answers to requests with an Idempotency-Key',
    ttl: keepMs,
    history: 1,
    replicas,
  });
  return {
    createOrGet: (key, record) => createOrGet(bucket, key, record),
    replace: async (key, { record, revision }) => {
      const value = JSON.stringify(record);
      if (Buffer.byteLength(value) > (connection.info?.max_payload ?? 0) - headroom) return;
      await ignoreConflict(bucket.update(key, value, revision));
    },
  };
}

async function createOrGet(bucket: KV, key: string, record: IdempotencyRecord): Promise<StoredRecord> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const revision = await ignoreConflict(bucket.create(key, JSON.stringify(record)));
    if (revision !== undefined) return { record, revision };
    const entry = await bucket.get(key);
    if (entry?.operation === 'PUT') {
      return { record: idempotencyRecordSchema.parse(entry.json()), revision: entry.revision };
    }
  }
  throw new WireError({ status: 503, code: 'UNAVAILABLE', message: 'The Idempotency-Key cannot be looked up now' });
}

async function ignoreConflict(write: Promise<number>): Promise<number | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof JetStreamApiError && conflictCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** On one server and on replicated streams. */
const conflictCodes: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);
