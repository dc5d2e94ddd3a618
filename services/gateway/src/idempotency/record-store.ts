import { WireError } from '@mneme/contracts';
import { makeBucket, watchConnection } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { ignoreConflict, isFull } from './conflict.ts';
import { type IdempotencyRecord, idempotencyRecordSchema } from './record.ts';

/** How long a key is remembered, in milliseconds. */
const keepMs = 24 * 60 * 60 * 1_000;
/** Room that the headers of a message take within `max_payload`, in bytes. */
const headroom = 1_024;
/** A record may run out, or not be on the asked replica yet, between a refused create and the read after it. */
const maxAttempts = 3;
/** How many of the oldest records go to make room for the mark of an erasure. */
const recordsPerErasure = 100;
/** After which a caller may try again when there is no room, in seconds. */
const fullRetrySeconds = 60;

export interface StoredRecord {
  readonly record: IdempotencyRecord;
  readonly revision: number;
}

/** Where records are kept for 24 hours. */
export interface RecordStore {
  /**
   * Writes `record` unless there is one; returns what is there now.
   * @throws WireError 503 when there is no room for another one
   */
  createOrGet(key: string, record: IdempotencyRecord): Promise<StoredRecord>;
  /** Replaces the record of that revision; does nothing when it has been replaced. */
  replace(key: string, stored: StoredRecord): Promise<void>;
  /** Keeps an answer with those of its agent; false when it is too large to keep, or there is no room. */
  keepAnswer(agentKey: string | null, key: string, answer: Uint8Array): Promise<boolean>;
  findAnswer(agentKey: string | null, key: string): Promise<Uint8Array | undefined>;
  dropAnswer(agentKey: string, key: string): Promise<void>;
  /** Forgets the answers of an agent, and that requests about it which began before were ever made. */
  eraseAgent(agentKey: string): Promise<void>;
  /** Whether the agent was erased after that revision. */
  isErasedSince(agentKey: string, revision: number): Promise<boolean>;
}

const recordsBucket = 'idempotency';
const answersBucket = 'idempotency-answers';
const answerKey = (agentKey: string | null, key: string) => `${agentKey ?? 'none'}.${key}`;
const erasureKey = (agentKey: string) => `erased.${agentKey}`;

export interface RecordStoreOptions {
  readonly replicas: number;
  /** How many bytes the records may take, and the answers as many again. */
  readonly maxBytes: number;
}

/**
 * Keeps records and answers in two NATS KV buckets, which all gateways share, so that large answers take no room from the
 * records. Every call is 503 soon while the connection is lost.
 */
export async function openRecordStore(connection: NatsConnection, options: RecordStoreOptions): Promise<RecordStore> {
  const common = { ttlMs: keepMs, history: 1, ...options };
  const [records, answers] = await Promise.all([
    makeBucket(connection, { name: recordsBucket, description: 'Requests with an Idempotency-Key', ...common }),
    makeBucket(connection, { name: answersBucket, description: 'First answers to such requests', ...common }),
  ]);
  // Each of these may be asked twice: what was written by the first one is found by the second.
  const { ask } = watchConnection(connection);
  return {
    createOrGet: (key, record) => ask(() => createOrGet(records, key, record)).catch(refuseWhenFull),
    replace: async (key, { record, revision }) => {
      await ask(() => ignoreConflict(records.update(key, JSON.stringify(record), revision)));
    },
    keepAnswer: async (agentKey, key, answer) => {
      if (answer.byteLength > (connection.info?.max_payload ?? 0) - headroom) return false;
      return ask(() => putIfRoom(answers, answerKey(agentKey, key), answer));
    },
    findAnswer: async (agentKey, key) => {
      const entry = await ask(() => answers.get(answerKey(agentKey, key)));
      return entry?.operation === 'PUT' ? entry.value : undefined;
    },
    dropAnswer: (agentKey, key) => ask(() => purgeAnswers(connection, answerKey(agentKey, key))),
    eraseAgent: async (agentKey) => {
      // The mark first: an answer that is kept after the purge then finds the mark.
      await ask(() => markErased(connection, records, agentKey));
      await ask(() => purgeAnswers(connection, answerKey(agentKey, '>')));
    },
    isErasedSince: async (agentKey, revision) => {
      const mark = await ask(() => records.get(erasureKey(agentKey)));
      return mark !== null && mark.revision > revision;
    },
  };
}

async function putIfRoom(bucket: KV, key: string, value: Uint8Array): Promise<boolean> {
  try {
    await bucket.put(key, value);
    return true;
  } catch (error) {
    if (isFull(error)) return false;
    throw error;
  }
}

/** An erasure goes before what is remembered: where there is no room for its mark, the oldest records are forgotten. */
async function markErased(connection: NatsConnection, records: KV, agentKey: string): Promise<void> {
  const mark = new Uint8Array();
  if (await putIfRoom(records, erasureKey(agentKey), mark)) return;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const stream = `KV_${recordsBucket}`;
  const { state } = await manager.streams.info(stream);
  await manager.streams.purge(stream, { seq: state.first_seq + recordsPerErasure });
  await records.put(erasureKey(agentKey), mark);
}

async function purgeAnswers(connection: NatsConnection, keys: string): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await manager.streams.purge(`KV_${answersBucket}`, { filter: `$KV.${answersBucket}.${keys}` });
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

function refuseWhenFull(error: unknown): never {
  if (!isFull(error)) throw error;
  const message =
    'Too many requests with an Idempotency-Key came within 24 hours to remember another one; send it without, or later';
  throw new WireError({ status: 503, code: 'UNAVAILABLE', message, extra: { retry_after: fullRetrySeconds } });
}
