import {
  accessEvents,
  accessStream,
  type MemoryEvent,
  memoryEvents,
  memoryStream,
  type WebhookEvent,
  webhookEvents,
  webhookStream,
} from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureEventLog } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';

/** The streams of the event log that the gateway uses. */
export interface EventLogs {
  readonly memory: EventStore<MemoryEvent>;
  readonly webhooks: EventStore<WebhookEvent>;
  /** The sequence of the last event of a stream, by its name. */
  headOf(stream: string): Promise<number>;
  /** The sequences of the last events of all streams. */
  heads(): Promise<readonly number[]>;
}

const source = 'gateway';
/** The streams of the event log. */
export const eventStreams = [memoryStream, webhookStream, accessStream] as const;

/** Opens the streams, and creates those of a new log. */
export async function openEventLogs(connection: NatsConnection, replicas: number): Promise<EventLogs> {
  await ensureEventLog(connection, eventStreams, replicas);
  const memory = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source });
  const webhooks = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source });
  const access = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source });
  const heads = new Map([
    [memoryStream.name as string, () => memory.head()],
    [webhookStream.name, () => webhooks.head()],
    [accessStream.name, () => access.head()],
  ]);
  return {
    memory,
    webhooks,
    headOf: async (stream) => {
      const head = heads.get(stream);
      if (!head) throw new RangeError(`There is no stream ${stream} in the event log`);
      return head();
    },
    heads: () => Promise.all([...heads.values()].map((head) => head())),
  };
}
