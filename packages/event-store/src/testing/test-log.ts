import { defineBytesEvent, defineEvent, type EventOf, eventCatalog } from '@mneme/contracts';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, afterEach, it as baseIt, beforeAll, beforeEach } from 'vitest';
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

/** A new stream, handlers of it that end with it, and copies of its events that could not be handled. */
async function openLogWithHandlers(stack: Stack) {
  const log = await openTestLog(stack);
  const running: RunningHandler[] = [];
  const stopAtEnd = (handler: RunningHandler) => {
    running.push(handler);
    return handler;
  };
  return {
    ...log,
    stack,
    stopAtEnd,
    deadLetters: async () =>
      (await deadLetters(log.connection).page(1, 100, 1e6)).entries.filter(
        ({ position }) => position.stream === log.stream,
      ),
    /** Runs a handler of `Counted`. */
    run: async (options: Partial<Counting> & Pick<Counting, 'handle'>) =>
      stopAtEnd(await runHandler<TestEvent, 'Counted'>({ ...handlerOptions(log), types: ['Counted'], ...options })),
    end: async () => {
      await Promise.all(running.splice(0).map((handler) => handler.stop()));
      await log.connection.close();
    },
  };
}

export type LogWithHandlers = Awaited<ReturnType<typeof openLogWithHandlers>>;

const startServers = () => startTestStack({ servers: ['nats'] });

/** A real server for the tests of a file, and a log for each of them. */
export function useTestLog(): LogWithHandlers {
  let stack: Stack;
  const log = {} as LogWithHandlers;
  beforeAll(async () => {
    stack = await startServers();
  });
  afterAll(() => stack?.stop());
  beforeEach(async () => void Object.assign(log, await openLogWithHandlers(stack)));
  afterEach(() => log.end());
  return log;
}

/** Tests that get such a log each, so that those that mostly wait can run side by side: `it.concurrent`. */
export const it = baseIt
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what the fixture uses.
  .extend('stack', { scope: 'file' }, async ({}, { onCleanup }) => {
    const stack = await startServers();
    onCleanup(() => stack.stop());
    return stack;
  })
  .extend('log', async ({ stack }, { onCleanup }) => {
    const log = await openLogWithHandlers(stack);
    onCleanup(() => log.end());
    return log;
  });
