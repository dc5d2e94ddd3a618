import { randomUUID } from 'node:crypto';
import {
  type MemoryEvent,
  type MemoryEventOf,
  memoryEvents,
  memoryStream,
  memorySubjects,
  type SubmittedItem,
} from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { type Client, createClient, createLogger, type Service, startService } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll } from 'vitest';

/** The event log of memories on a real server. */
export type TestLog = Awaited<ReturnType<typeof startTestLog>>;

/** A log for the tests of a file, which runs from before the first of them to after the last. */
export function useTestLog(): TestLog {
  const log: Partial<TestLog> = {};
  beforeAll(async () => {
    Object.assign(log, await startTestLog());
  });
  afterAll(() => log.stop?.());
  return log as TestLog;
}

async function startTestLog() {
  const stack = await startTestStack({ servers: ['nats'] });
  const connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  const store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' });
  return {
    connection,
    store,
    typesOf: async (subject: string): Promise<string[]> => (await store.load(subject)).events.map(({ type }) => type),
    stop: async () => {
      await connection.close();
      await stack.stop();
    },
  };
}

/** For the tests of a file: what answers in the place of memory-query, and a client of it. */
export function useMemoryQuery(log: TestLog, serve: (service: Service) => void): { readonly client: Client } {
  const query: { client?: Client; service?: Service } = {};
  beforeAll(() => {
    const { connection } = log;
    query.client = createClient({ connection });
    query.service = startService({ connection, name: 'memory-query', version: '0.0.1', logger: silent });
    serve(query.service);
  });
  afterAll(async () => {
    await query.service?.stop();
    query.client?.close();
  });
  return query as { client: Client };
}

type Submission = MemoryEventOf<'BatchSubmitted'>;

/** The submission of a batch as the gateway appends it; its agent is alice unless given. */
export function submission(
  contents: readonly (string | SubmittedItem)[],
  change: Partial<Submission['data']> = {},
): Submission {
  const items = contents.map((item) =>
    typeof item === 'string' ? { content: item, eventDate: null, context: null } : item,
  );
  const batch = { space: 'public', agentId: 'alice', operationId: randomUUID(), documentId: null, part: 0, parts: 1 };
  return { type: 'BatchSubmitted', data: { ...batch, itemsCount: items.length, items, ...change } };
}

/** Appends the submission of a batch. */
export async function submit({ store }: TestLog, ...batch: Parameters<typeof submission>) {
  const event = submission(...batch);
  const subject = memorySubjects.operation(event.data, event.data.operationId);
  await store.append(subject, [event], 0, { correlationId: 'test' });
  return subject;
}

/** The same, with the event as a handler receives it. */
export async function submitted(log: TestLog, ...batch: Parameters<typeof submission>) {
  const subject = await submit(log, ...batch);
  const [event] = (await log.store.load(subject)).events;
  if (event?.type !== 'BatchSubmitted') throw new Error('The submission is not there');
  return { subject, event };
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
