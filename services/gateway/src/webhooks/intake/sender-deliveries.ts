import { createHash } from 'node:crypto';
import { WireError, webhookStream } from '@mneme/contracts';
import { type ConnectionWatch, formatPosition, makeBucket } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { ignoreConflict, isFull } from '../../idempotency/conflict.ts';
import { findEvent } from './find-event.ts';

/** How long a delivery is remembered, in milliseconds. */
const keepMs = 24 * 60 * 60 * 1_000;
/** The log takes an event id once within two minutes; from here on that is not relied upon. In milliseconds. */
const staleMs = 100_000;
/** How much the clocks of servers may differ, and an append may take, in milliseconds. */
const slackMs = 15_000;

const notedDeliverySchema = z.object({
  /** Of the event that records the call. Whoever appends it for this delivery does so under this id. */
  eventId: z.string(),
  /** Where that event stands in the log; null: it is on its way, or was lost. */
  position: z.string().nullable(),
});
export type NotedDelivery = z.infer<typeof notedDeliverySchema>;

/** What makes a delivery the same again. */
export interface SenderDeliveryRef {
  readonly webhookId: number;
  readonly senderDeliveryId: string;
  /** Under which its call is recorded. */
  readonly subject: string;
}

/** The deliveries of the last 24 hours. */
export interface SenderDeliveries {
  /**
   * Notes a delivery unless it is noted; returns what is noted.
   * @throws WireError 503 when it cannot be noted now, also for want of room
   */
  claim(delivery: SenderDeliveryRef): Promise<NotedDelivery>;
  /** Notes that its call is recorded. */
  settle(ref: SenderDeliveryRef, delivery: NotedDelivery): Promise<void>;
}

export interface SenderDeliveriesDeps {
  readonly connection: NatsConnection;
  readonly watch: ConnectionWatch;
  readonly replicas: number;
  /** What all deliveries together may take, in bytes; one takes some 300. */
  readonly maxBytes: number;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const bucketName = 'deliveries';

/** Keeps deliveries in a NATS KV bucket, which all gateways share. */
export async function openSenderDeliveries(deps: SenderDeliveriesDeps): Promise<SenderDeliveries> {
  const { connection, watch, replicas, maxBytes } = deps;
  const bucket = await makeBucket(connection, {
    name: bucketName,
    description: 'Deliveries to webhooks that want each of them once',
    ttlMs: keepMs,
    history: 1,
    maxBytes,
    replicas,
  });
  return {
    claim: (ref) =>
      watch
        .ask(() => claim(bucket, ref, deps))
        .catch((error: unknown) => {
          throw isFull(error) ? noRoom() : error;
        }),
    settle: async (ref, delivery) => {
      await watch.ask(() => bucket.put(keyOf(ref), JSON.stringify(delivery)));
    },
  };
}

/** Safe in a subject, whatever senders call their deliveries. */
function keyOf({ webhookId, senderDeliveryId }: SenderDeliveryRef): string {
  const named = JSON.stringify([webhookId, senderDeliveryId]);
  return createHash('sha256').update(named).digest('hex');
}

async function claim(bucket: KV, ref: SenderDeliveryRef, deps: SenderDeliveriesDeps): Promise<NotedDelivery> {
  const key = keyOf(ref);
  const fresh: NotedDelivery = { eventId: deps.newId(), position: null };
  if ((await ignoreConflict(bucket.create(key, JSON.stringify(fresh)))) !== undefined) return fresh;
  const entry = await bucket.get(key);
  // It ran out this moment, or is not on the asked replica yet.
  if (entry?.operation !== 'PUT') throw unreadable();
  const noted = notedDeliverySchema.parse(entry.json());
  if (noted.position !== null || deps.clock() - entry.created.getTime() < staleMs) return noted;
  const position = await findRecorded(ref, noted, entry.created, deps);
  const current = position === undefined ? fresh : { ...noted, position };
  // Somebody else who came for it at the same time has found the same.
  if ((await ignoreConflict(bucket.update(key, JSON.stringify(current), entry.revision))) === undefined)
    throw unreadable();
  return current;
}

/** Whoever noted it never said what became of it: that gateway was killed, or could not reach the log. */
async function findRecorded(
  { subject }: SenderDeliveryRef,
  { eventId }: NotedDelivery,
  notedAt: Date,
  { connection }: SenderDeliveriesDeps,
): Promise<string | undefined> {
  const stream = webhookStream.name;
  const from = new Date(notedAt.getTime() - slackMs);
  const to = new Date(notedAt.getTime() + staleMs + slackMs);
  const sequence = await findEvent(connection, { stream, subject, eventId, from, to });
  return sequence === undefined ? undefined : formatPosition({ stream, sequence });
}

/** Deliveries without an id, and to webhooks that want all of them, are taken on. */
function noRoom(): WireError {
  const message = 'Too many deliveries with an id came within 24 hours to tell a repeated one; send it again later';
  return new WireError({ status: 503, code: 'UNAVAILABLE', message, extra: { retry_after: 60 } });
}

function unreadable(): WireError {
  const message = 'The delivery cannot be looked up now, send it again';
  return new WireError({ status: 503, code: 'UNAVAILABLE', message });
}
