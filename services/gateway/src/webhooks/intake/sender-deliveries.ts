import { hash } from 'node:crypto';
import { webhookStream } from '@mneme/contracts';
import {
  type BucketShares,
  bucketTime,
  createBucketShares,
  eventIdOf,
  formatPosition,
  ignoreConflict,
  makeBucket,
  readHeaders,
  type TimedMessage,
} from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { refuseWhenFull, unavailable } from '../../errors.ts';
import { type GatewayBucketDeps, openGatewayBucket } from '../../gateway-bucket.ts';

/** How long a sender's delivery id is stored, in milliseconds. */
const keepMs = 24 * 60 * 60 * 1_000;
/** JetStream deduplicates event ids for two minutes; after this time that is not relied on. In milliseconds. */
const staleMs = 100_000;
/** Allowance for clock differences between servers and for the duration of an append, in milliseconds. */
const slackMs = 15_000;

/** What a delivery takes in the bucket, in bytes. */
const deliveryBytes = 300;
/** When a sender may try again while the bucket is full, in seconds. */
const fullRetrySeconds = 60;
/** Deliveries without a sender's id, and to webhooks that do not deduplicate, are still accepted. */
const noRoom = 'Too many deliveries with an id came within 24 hours to tell a repeated one; send it again later';
const unreadable = 'The delivery cannot be looked up now, send it again';

const storedSchema = z.object({
  /** The id of the event that records the delivery; every gateway that appends it uses this id. */
  eventId: z.string(),
  /** The position of that event in the log; null while it is being appended, or if that failed. */
  position: z.string().nullable(),
});
export type StoredSenderDelivery = z.infer<typeof storedSchema>;

/** Identifies a delivery by the id that its sender has given it. */
export interface SenderDeliveryRef {
  readonly webhookId: number;
  readonly senderDeliveryId: string;
  /** Whose deliveries share the bucket with those of others: the user who has made the webhook. */
  readonly owner: string;
  /** The subject that the delivery is recorded under. */
  readonly subject: string;
}

/** The delivery ids of senders of the last 24 hours. */
export interface SenderDeliveries {
  /**
   * Stores a delivery unless it is stored; returns the stored one.
   * @throws WireError 503 when it cannot be stored now, also because the bucket is full, or its owner has filled as much as
   * there is left to others
   */
  claim(delivery: SenderDeliveryRef): Promise<StoredSenderDelivery>;
  /** Stores that the delivery is recorded. */
  settle(ref: SenderDeliveryRef, delivery: StoredSenderDelivery): Promise<void>;
}

export interface SenderDeliveriesDeps extends GatewayBucketDeps {
  /** The size limit of the bucket, in bytes. */
  readonly maxBytes: number;
  /** The time by the clock of the server, in milliseconds since 1970; NATS is asked unless given. */
  readonly serverTime?: () => Promise<number>;
}

const bucketName = 'deliveries';

/** Stores deliveries in a NATS KV bucket, which all gateways share. */
export async function openSenderDeliveries(deps: SenderDeliveriesDeps): Promise<SenderDeliveries> {
  const { connection, maxBytes } = deps;
  const description = 'Deliveries to webhooks that want each of them once';
  const settings = { name: bucketName, description, ttlMs: keepMs, history: 1, maxBytes };
  const { bucket, ask } = await openGatewayBucket(deps, settings, makeBucket);
  const freeBytes = () => ask(async () => maxBytes - (await bucket.status()).size);
  const shares = createBucketShares({ freeBytes, ttlMs: keepMs });
  const serverTime = deps.serverTime ?? (() => bucketTime(bucket));
  return {
    claim: (ref) =>
      ask(() => claim({ connection, bucket, shares, serverTime }, ref)).catch(refuseWhenFull(noRoom, fullRetrySeconds)),
    settle: async (ref, delivery) => {
      await ask(() => bucket.put(keyOf(ref), JSON.stringify(delivery)));
    },
  };
}

/** A key that is safe in a subject, whatever ids senders use. */
function keyOf({ webhookId, senderDeliveryId }: SenderDeliveryRef): string {
  return hash('sha256', JSON.stringify([webhookId, senderDeliveryId]));
}

interface ClaimDeps {
  readonly connection: NatsConnection;
  readonly bucket: KV;
  readonly shares: BucketShares;
  readonly serverTime: () => Promise<number>;
}

async function claim(
  { connection, bucket, shares, serverTime }: ClaimDeps,
  ref: SenderDeliveryRef,
): Promise<StoredSenderDelivery> {
  const key = keyOf(ref);
  const fresh: StoredSenderDelivery = { eventId: uuidv7(), position: null };
  const hasRoom = await shares.take(ref.owner, deliveryBytes);
  if (hasRoom && (await ignoreConflict(bucket.create(key, JSON.stringify(fresh)))) !== undefined) return fresh;
  if (hasRoom) shares.giveBack(ref.owner, deliveryBytes);
  const entry = await bucket.get(key);
  if (!entry && !hasRoom) throw unavailable(noRoom, fullRetrySeconds);
  // It has just expired, or the replica that answered does not have it yet.
  if (entry?.operation !== 'PUT') throw unavailable(unreadable);
  const stored = storedSchema.parse(entry.json());
  if (stored.position !== null || !isStale(entry.created, await serverTime())) return stored;
  const position = await findRecorded(ref, stored, entry.created, connection);
  const current = position === undefined ? fresh : { ...stored, position };
  // On a conflict another gateway has found the same at the same time.
  if ((await ignoreConflict(bucket.update(key, JSON.stringify(current), entry.revision))) === undefined)
    throw unavailable(unreadable);
  return current;
}

/** Nothing is known of the age of what was stored in the future: the clock of the server was set back. */
function isStale(storedAt: Date, nowMs: number): boolean {
  return Math.abs(nowMs - storedAt.getTime()) >= staleMs;
}

/** For a stored delivery without a position: its gateway was killed, or could not reach the log. */
async function findRecorded(
  { subject }: SenderDeliveryRef,
  { eventId }: StoredSenderDelivery,
  storedAt: Date,
  connection: NatsConnection,
): Promise<string | undefined> {
  const stream = webhookStream.name;
  const endMs = storedAt.getTime() + staleMs + slackMs;
  const isRecorded = (message: TimedMessage) => eventIdOf(message) === eventId;
  const sequences = await readHeaders(connection, {
    stream,
    subject,
    startTime: new Date(storedAt.getTime() - slackMs),
    isLast: (message) => isRecorded(message) || message.timeMs > endMs,
    pick: (message) => (isRecorded(message) ? message.sequence : undefined),
  });
  const sequence = sequences.at(-1);
  return sequence === undefined ? undefined : formatPosition({ stream, sequence });
}
