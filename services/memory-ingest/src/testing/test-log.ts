import { type MemoryEvent, memoryEvents, memoryStream } from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { createLogger } from '@mneme/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll } from 'vitest';

/** The event log of memories on a real server. */
export interface TestLog {
  readonly connection: NatsConnection;
  readonly store: EventStore<MemoryEvent>;
  typesOf(subject: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** A log for the tests of a file, which runs from before the first of them to after the last. */
export function useTestLog(): TestLog {
  const log: Partial<TestLog> = {};
  beforeAll(async () => {
    Object.assign(log, await startTestLog());
  });
  afterAll(() => log.stop?.());
  return log as TestLog;
}

async function startTestLog(): Promise<TestLog> {
  const stack = await startTestStack({ servers: ['nats'] });
  const connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  const store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' });
  return {
    connection,
    store,
    typesOf: async (subject) => (await store.load(subject)).events.map(({ type }) => type),
    stop: async () => {
      await connection.close();
      await stack.stop();
    },
  };
}

/** The store, as if it was first read from a replica that lacks the last event of each subject. */
export function behindAtFirst(store: EventStore<MemoryEvent>): EventStore<MemoryEvent> {
  let isBehind = true;
  return {
    ...store,
    fold: async (subject, evolve, initial, known) => {
      if (!isBehind) return store.fold(subject, evolve, initial, known);
      isBehind = false;
      const seen = (await store.load(subject)).events.slice(0, -1);
      return { state: seen.reduce(evolve, initial), revision: seen.at(-1)?.position.sequence ?? 0, bytes: 0 };
    },
  };
}

export const silent = createLogger({ service: 'test', level: 'silent' });

/** A request whose caller waits for a minute. */
export function requestContext(signal: AbortSignal = new AbortController().signal) {
  return { correlationId: 'test', deadline: Date.now() + 60_000, signal };
}
