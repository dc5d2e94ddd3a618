import { defineBytesEvent, defineEvent, type EventOf, eventCatalog } from '@mneme/contracts';
import type { Stack } from '@mneme/local-stack';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import pino from 'pino';
import { z } from 'zod';
import { connectEventStore, type EventStore } from '../event-store.ts';
import { ensureStream } from '../log/ensure-stream.ts';

export const catalog = eventCatalog([
  defineEvent('Counted', { n: z.number() }),
  defineEvent('Noted', { text: z.string() }),
  defineBytesEvent('Received'),
]);
export type TestEvent = EventOf<typeof catalog>;

export const context = { correlationId: 'request-1' };
const logger = pino({ level: 'silent' });

export function counted(n: number): TestEvent {
  return { type: 'Counted', data: { n } };
}

export function countedTo(last: number): TestEvent[] {
  return Array.from({ length: last }, (_, index) => counted(index + 1));
}

/** A connection to a real server, and a JetStream stream of its own with subjects `<name>.>`. */
export interface TestLog extends AsyncDisposable {
  readonly connection: NatsConnection;
  /** The stream's name, which is also the first word of its subjects. */
  readonly stream: string;
  readonly store: EventStore<TestEvent>;
}

/** Options of a handler of all events of the log, but for the types and what is done with them. */
export function handlerOptions({ connection, stream }: Pick<TestLog, 'connection' | 'stream'>) {
  return {
    connection,
    stream,
    durable: 'counting',
    filterSubject: `${stream}.>`,
    catalog,
    concurrency: 4,
    ackWaitMs: 2_000,
    maxTries: 3,
    backoffMs: () => 20,
    onExhausted: async () => undefined,
    logger,
  };
}

let made = 0;

export function connectTo(url: string): Promise<NatsConnection> {
  return connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
}

/** Opens a new stream. `url` may lead over a proxy. */
export async function openTestLog(stack: Stack, url = stack.natsUrl): Promise<TestLog> {
  made += 1;
  const stream = `T${made}`;
  const connection = await connectTo(url);
  await ensureStream(connection, { name: stream, subjects: [`${stream}.>`], replicas: 1 });
  const store = connectEventStore({ connection, stream, catalog, source: 'test' });
  return { connection, stream, store, [Symbol.asyncDispose]: () => connection.close() };
}
