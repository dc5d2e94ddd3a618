import { createHash } from 'node:crypto';
import { WireError } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { ignoreConflict } from '../../idempotency/conflict.ts';

/** How long a delivery is remembered, in milliseconds. */
const keepMs = 24 * 60 * 60 * 1_000;

const recordSchema = z.object({
  /** Of the event that records the call. Whoever appends it for this delivery does so under this id. */
  eventId: z.string(),
  /** Where that event stands in the log; null: it is on its way, or was lost. */
  position: z.string().nullable(),
});
export type Delivery = z.infer<typeof recordSchema>;

/** The deliveries of the last 24 hours, by webhook and delivery id. */
export interface Deliveries {
  /** Notes a delivery unless it is noted; returns what is noted. */
  claim(key: string): Promise<Delivery>;
  /** Notes that its call is recorded. */
  settle(key: string, delivery: Delivery): Promise<void>;
}

const bucketName = 'deliveries';

/** Keeps deliveries in a NATS KV bucket, which all gateways share. */
export async function openDeliveries(deps: {
  connection: NatsConnection;
  watch: ConnectionWatch;
  replicas: number;
  newId: () => string;
}): Promise<Deliveries> {
  const { connection, watch, replicas, newId } = deps;
  const bucket = await new Kvm(connection).create(bucketName, {
    description: 'Deliveries to webhooks that want each of them once',
    ttl: keepMs,
    history: 1,
    replicas,
  });
  return {
    claim: (key) => watch.ask(() => claim(bucket, key, newId())),
    settle: async (key, delivery) => void (await watch.ask(() => bucket.put(key, JSON.stringify(delivery)))),
  };
}

/** Names the delivery of a webhook in a way that is safe in a subject. */
export function deliveryKey(webhookId: number, deliveryId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([webhookId, deliveryId]))
    .digest('hex');
}

async function claim(bucket: KV, key: string, eventId: string): Promise<Delivery> {
  const fresh: Delivery = { eventId, position: null };
  if ((await ignoreConflict(bucket.create(key, JSON.stringify(fresh)))) !== undefined) return fresh;
  const entry = await bucket.get(key);
  // It ran out this moment, or is not on the asked replica yet.
  if (entry?.operation !== 'PUT') throw unreadable();
  return recordSchema.parse(entry.json());
}

function unreadable(): WireError {
  return new WireError({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'The delivery cannot be looked up now, send it again',
  });
}
