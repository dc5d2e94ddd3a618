import { WireError } from '@mneme/contracts';
import { watchConnection } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { ignoreConflict } from './conflict.ts';
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
  /** Replaces the record of that revision; does nothing when it has been replaced. */
  replace(key: string, stored: StoredRecord): Promise<void>;
  /** Keeps an answer with those of its agent; false when it is too large to keep. */
  keepAnswer(agentKey: string | null, key: string, answer: Uint8Array): Promise<boolean>;
  findAnswer(agentKey: string | null, key: string): Promise<Uint8Array | undefined>;
  dropAnswer(agentKey: string, key: string): Promise<void>;
  /** Forgets the answers of an agent, and that requests about it which began before were ever made. */
  eraseAgent(agentKey: string): Promise<void>;
  /** Whether the agent was erased after that revision. */
  isErasedSince(agentKey: string, revision: number): Promise<boolean>;
}

const bucketName = 'idempotency';
const answerKey = (agentKey: string | null, key: string) => `answers.${agentKey ?? 'none'}.${key}`;
const erasureKey = (agentKey: string) => `erased.${agentKey}`;

/** Keeps records in a NATS KV bucket, which all gateways share. Every call is 503 soon while the connection is lost. */
export async function openRecordStore(connection: NatsConnection, replicas: number): Promise<RecordStore> {
  const bucket = await new Kvm(connection).create(bucketName, {
    description: 'First answers to requests with an Idempotency-Key',
    ttl: keepMs,
    history: 1,
    replicas,
  });
  // Each of these may be asked twice: what was written by the first one is found by the second.
  const { ask } = watchConnection(connection);
  return {
    createOrGet: (key, record) => ask(() => createOrGet(bucket, key, record)),
    replace: async (key, { record, revision }) => {
      await ask(() => ignoreConflict(bucket.update(key, JSON.stringify(record), revision)));
    },
    keepAnswer: async (agentKey, key, answer) => {
      if (answer.byteLength > (connection.info?.max_payload ?? 0) - headroom) return false;
      await ask(() => bucket.put(answerKey(agentKey, key), answer));
      return true;
    },
    findAnswer: async (agentKey, key) => {
      const entry = await ask(() => bucket.get(answerKey(agentKey, key)));
      return entry?.operation === 'PUT' ? entry.value : undefined;
    },
    dropAnswer: (agentKey, key) => ask(() => purge(connection, answerKey(agentKey, key))),
    eraseAgent: async (agentKey) => {
      // The mark first: an answer that is kept after the purge then finds the mark.
      await ask(() => bucket.put(erasureKey(agentKey), ''));
      await ask(() => purge(connection, answerKey(agentKey, '>')));
    },
    isErasedSince: async (agentKey, revision) => {
      const mark = await ask(() => bucket.get(erasureKey(agentKey)));
      return mark !== null && mark.revision > revision;
    },
  };
}

async function purge(connection: NatsConnection, keys: string): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await manager.streams.purge(`KV_${bucketName}`, { filter: `$KV.${bucketName}.${keys}` });
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
