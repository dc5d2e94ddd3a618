import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

/** How many messages are asked for at once. */
const pageMessages = 1_000;
/** How long to wait for them, in milliseconds. */
const pageTimeoutMs = 1_000;

/** Where an event can stand: under one subject, written within a span of time. */
export interface EventSearch {
  readonly stream: string;
  readonly subject: string;
  readonly eventId: string;
  readonly from: Date;
  readonly to: Date;
}

/** Looks for an event by its id, by the headers alone; returns its sequence. */
export async function findEvent(connection: NatsConnection, search: EventSearch): Promise<number | undefined> {
  const consumer = await jetstream(connection).consumers.get(search.stream, {
    filter_subjects: search.subject,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: search.from.toISOString(),
    headers_only: true,
  });
  try {
    for (;;) {
      let left = 0;
      const page = await consumer.fetch({ max_messages: pageMessages, expires: pageTimeoutMs });
      for await (const message of page) {
        if (message.headers?.get('ce-id') === search.eventId) return message.seq;
        if (message.time > search.to) return undefined;
        left = message.info.pending;
        if (left === 0) break;
      }
      if (left === 0) return undefined;
    }
  } finally {
    await consumer.delete().catch(() => undefined);
  }
}
