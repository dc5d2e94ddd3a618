import { createBucketShares, ignoreConflict, isBucketFull, maxEventBytes, storedEntry } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { refuseWhenFull, unavailable } from '../errors.ts';
import { type GatewayBucket, type GatewayBucketDeps, openGatewayBucket } from '../gateway-bucket.ts';

/** How long a key is remembered, in milliseconds. */
const keepMs = 24 * 60 * 60 * 1_000;
/** Size of a record, and of what is added to an answer, in bytes. */
const recordBytes = 400;
/** A record may expire, or not have reached the replica that answers, between a refused create and the following read. */
const maxAttempts = 3;
/** How many of the oldest records are deleted to make room for the mark of an erasure. */
const recordsPerErasure = 100;
/** When a caller may try again while the bucket is full, in seconds. */
const fullRetrySeconds = 60;
const noRoom =
  'Too many requests with an Idempotency-Key came within 24 hours to remember another one; send it without, or later';

/** What is stored about a request with an idempotency key; neither its content nor its answer. */
const idempotencyRecordSchema = z.object({
  bodyHash: z.string(),
  /** Identifies what the request started, so that a second run finds it. */
  commandId: z.string(),
  /** The agent that the request is about; null as long as it is unknown, and when there is none. */
  agentKey: z.string().nullable(),
  /** The revision of this record when the request began; null while that is its revision. */
  begun: z.int().nullable(),
  /** False while the first run is under way, or when it ended without an answer that is kept. */
  isAnswered: z.boolean(),
  /** Whether a run succeeded with an answer that is not to be kept; missing in records of earlier releases. */
  isPerformed: z.boolean().default(false),
  /** The position that such an answer named; the rest of it is read anew for a repeat. */
  position: z.string().nullable().default(null),
});
export type IdempotencyRecord = z.infer<typeof idempotencyRecordSchema>;

/** Where an answer is: with the agent that it is about, under the key of its request. */
export interface AnswerPlace {
  readonly agentKey: string | null;
  readonly key: string;
}

export interface StoredRecord {
  readonly record: IdempotencyRecord;
  readonly revision: number;
}

/** Stores records and answers for 24 hours. Of the room for each, an owner may fill as much as is left to others. */
export interface RecordStore {
  /**
   * Writes `record` unless the key has one; returns the record of the key.
   * @param owner whose request it is
   * @throws WireError 503 when the bucket is full, or the owner has filled as much as there is left
   */
  createOrGet(owner: string, key: string, record: IdempotencyRecord): Promise<StoredRecord>;
  /** Replaces the record of that revision; does nothing when it has another revision by now. */
  replace(key: string, stored: StoredRecord): Promise<void>;
  /** Stores an answer with those of its agent; false when it is too large or there is no room, also for this owner. */
  keepAnswer(owner: string, place: AnswerPlace, answer: Uint8Array): Promise<boolean>;
  findAnswer(place: AnswerPlace): Promise<Uint8Array | undefined>;
  dropAnswer(place: AnswerPlace): Promise<void>;
  /** Deletes the answers of an agent, and marks it so that requests which began before are refused. */
  eraseAgent(agentKey: string): Promise<void>;
  /** Whether the agent was erased after that revision. */
  isErasedSince(agentKey: string, revision: number): Promise<boolean>;
}

const recordsBucket = 'idempotency';
const answersBucket = 'idempotency-answers';
const answerKey = ({ agentKey, key }: AnswerPlace) => `${agentKey ?? 'none'}.${key}`;
const erasureKey = (agentKey: string) => `erased.${agentKey}`;

export interface RecordStoreDeps extends GatewayBucketDeps {
  /** How many bytes the records may take, and the answers as many again. */
  readonly maxBytes: number;
}

/**
 * Stores records and answers in two NATS KV buckets, which all gateways share, so that large answers take no room from the
 * records. They are read from the leader: a follower may not yet know that an agent was erased. While the connection is lost,
 * every operation soon fails with 503.
 */
export async function openRecordStore(deps: RecordStoreDeps): Promise<RecordStore> {
  const { connection, maxBytes } = deps;
  const common = { ttlMs: keepMs, history: 1, maxBytes };
  // `ask` may repeat an operation; the repeat finds what the first attempt has written.
  const [records, answers] = await Promise.all([
    openGatewayBucket(deps, { name: recordsBucket, description: 'Requests with an Idempotency-Key', ...common }),
    openGatewayBucket(deps, { name: answersBucket, description: 'First answers to such requests', ...common }),
  ]);
  const sharesOf = ({ bucket, ask }: GatewayBucket) => {
    const freeBytes = () => ask(async () => maxBytes - (await bucket.status()).size);
    return createBucketShares({ freeBytes, ttlMs: keepMs });
  };
  const [recordShares, answerShares] = [sharesOf(records), sharesOf(answers)];
  return {
    createOrGet: async (owner, key, record) => {
      if (!(await recordShares.take(owner, recordBytes)))
        return (await records.ask(() => find(records.bucket, key))) ?? refuse();
      let isNew = false;
      try {
        const stored = await records
          .ask(() => createOrGet(records.bucket, key, record))
          .catch(refuseWhenFull(noRoom, fullRetrySeconds));
        isNew = stored.record === record;
        return stored;
      } finally {
        if (!isNew) recordShares.giveBack(owner, recordBytes);
      }
    },
    replace: async (key, { record, revision }) => {
      await records.ask(() => ignoreConflict(records.bucket.update(key, JSON.stringify(record), revision)));
    },
    keepAnswer: async (owner, place, answer) => {
      const bytes = answer.byteLength + recordBytes;
      if (bytes > maxEventBytes(connection)) return false;
      if (!(await answerShares.take(owner, bytes))) return false;
      const isKept = await answers.ask(() => putIfRoom(answers.bucket, answerKey(place), answer));
      if (!isKept) answerShares.giveBack(owner, bytes);
      return isKept;
    },
    findAnswer: async (place) => (await answers.ask(() => storedEntry(answers.bucket, answerKey(place))))?.value,
    dropAnswer: (place) => answers.ask(() => purgeAnswers(connection, answerKey(place))),
    eraseAgent: async (agentKey) => {
      // The mark first: an answer that is kept after the purge then finds the mark.
      await records.ask(() => markErased(connection, records.bucket, agentKey));
      await answers.ask(() => purgeAnswers(connection, answerKey({ agentKey, key: '>' })));
    },
    isErasedSince: async (agentKey, revision) => {
      const mark = await records.ask(() => records.bucket.get(erasureKey(agentKey)));
      return mark !== null && mark.revision > revision;
    },
  };
}

async function putIfRoom(bucket: KV, key: string, value: Uint8Array): Promise<boolean> {
  try {
    await bucket.put(key, value);
    return true;
  } catch (error) {
    if (isBucketFull(error)) return false;
    throw error;
  }
}

/** An erasure has precedence: if the bucket is full, the oldest records are deleted to make room for its mark. */
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
    const stored = await find(bucket, key);
    if (stored) return stored;
  }
  throw unavailable('The Idempotency-Key cannot be looked up now');
}

async function find(bucket: KV, key: string): Promise<StoredRecord | undefined> {
  const entry = await storedEntry(bucket, key);
  return entry && { record: idempotencyRecordSchema.parse(entry.json()), revision: entry.revision };
}

function refuse(): never {
  throw unavailable(noRoom, fullRetrySeconds);
}
