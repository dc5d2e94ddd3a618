import { defineBytesEvent, defineEvent, type EventOf, eventCatalog } from '@mneme/contracts';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { deadLetters } from '../dead-letters/dead-letters.ts';
import { connectEventStore, type EventStore } from '../event-store.ts';
import type { HandlerOptions } from '../handlers/handler-options.ts';
import { type RunningHandler, runHandler } from '../handlers/run-handler.ts';
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
export interface TestLog {
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
export async function openTestLog(stack: Stack, url = stack.natsUrl): Promise<TestLog & AsyncDisposable> {
  made += 1;
  const stream = `T${made}`;
  const connection = await connectTo(url);
  await ensureStream(connection, { name: stream, subjects: [`${stream}.>`], replicas: 1 });
  const store = connectEventStore({ connection, stream, catalog, source: 'test' });
  return { connection, stream, store, [Symbol.asyncDispose]: () => connection.close() };
}

type Counting = HandlerOptions<TestEvent, 'Counted'>;

/** A real server for the tests of a file, and for each of them a log, and handlers that end with it. */
export function useTestLog() {
  let stack: Stack;
  let log: TestLog;
  const running: RunningHandler[] = [];
  beforeAll(async () => {
    stack = await startTestStack({ servers: ['nats'] });
  });
  afterAll(() => stack.stop());
  beforeEach(async () => {
    log = await openTestLog(stack);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((handler) => handler.stop()));
    await log.connection.close();
  });
  const stopAtEnd = (handler: RunningHandler) => {
    running.push(handler);
    return handler;
  };
  return {
    get stack() {
      return stack;
    },
    get connection() {
      return log.connection;
    },
    get stream() {
      return log.stream;
    },
    get store() {
      return log.store;
    },
    stopAtEnd,
    /** Copies of events of this log. */
    deadLetters: async () =>
      (await deadLetters(log.connection).page(1, 100, 1e6)).entries.filter(
        ({ position }) => position.stream === log.stream,
      ),
    /** Runs a handler of `Counted`. */
    run: async (options: Partial<Counting> & Pick<Counting, 'handle'>) =>
      stopAtEnd(await runHandler<TestEvent, 'Counted'>({ ...handlerOptions(log), types: ['Counted'], ...options })),
  };
}
