import { randomUUID } from 'node:crypto';
import { type MemoryEvent, memoryEvents, memoryIngest, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { createModels, modelsConfigShape } from '@mneme/models';
import { type Client, createClient, createLogger, loadConfig, type Service, startService } from '@mneme/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { refusalReply } from '../errors.ts';
import { createMemoryIngest } from '../service.ts';

let stack: Stack;
let connection: NatsConnection;
let store: EventStore<MemoryEvent>;
let client: Client;
let service: Service;
let ingest: Awaited<ReturnType<typeof createMemoryIngest>>;

const context = { correlationId: 'test' };
const logger = createLogger({ service: 'test', level: 'silent' });

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' });
  client = createClient({ connection });
  service = startService({ connection, name: 'memory-ingest', version: '0.0.1', logger, mapError: refusalReply });
  const models = await createModels(loadConfig(z.object(modelsConfigShape), {}));
  ingest = await createMemoryIngest({ connection, store, service, client, models, concurrency: 2, logger });
});

afterAll(async () => {
  await ingest?.stop();
  await service?.stop();
  client?.close();
  await connection?.close();
  await stack?.stop();
});

/** An operation that has been through all this, in one append, so that the handler finds its end. */
async function operation(...later: ('OperationFailed' | 'OperationDismissed')[]) {
  const ref = { space: 'public', agentId: 'alice', operationId: randomUUID() };
  const items = [{ content: 'Alice lives in Lisbon.', eventDate: null, context: null }];
  const batch = { ...ref, part: 0, parts: 1, documentId: null, itemsCount: 1, items };
  const subject = memorySubjects.operation(ref, ref.operationId);
  const failure: MemoryEvent = { type: 'OperationFailed', data: { ...ref, message: 'no model', attempts: 5 } };
  const events: MemoryEvent[] = [
    { type: 'BatchSubmitted', data: batch },
    ...later.map((type) => (type === 'OperationFailed' ? failure : ({ type, data: ref } as const))),
  ];
  await store.append(subject, events, 0, context);
  return { subject, ...ref };
}

function retry({ operationId }: { operationId: string }, options: { space?: string; commandId?: string } = {}) {
  const { space = 'public', commandId = randomUUID() } = options;
  const request = { space, operationId, commandId };
  return client.call(memoryIngest.retryOperation, request, { ...context, deadlineMs: 5_000 });
}

async function typesOf(subject: string): Promise<string[]> {
  return (await store.load(subject)).events.map(({ type }) => type);
}

it('works on a failed operation anew, as on the day on which it was submitted', async () => {
  const failed = await operation('OperationFailed');
  await retry(failed);
  await expect
    .poll(() => typesOf(failed.subject), { timeout: 20_000 })
    .toEqual(['BatchSubmitted', 'OperationFailed', 'OperationRetried', 'FactsExtracted']);
  const { events } = await store.load(failed.subject);
  const [submitted, , , extracted] = events;
  if (extracted?.type !== 'FactsExtracted') throw new Error('There are no facts');
  expect(extracted.data.facts[0]?.eventDate).toBe(submitted?.time);
});

it('is asked for once by a request that is sent several times', async () => {
  const failed = await operation('OperationFailed');
  const commandId = randomUUID();
  const replies = await Promise.all(Array.from({ length: 5 }, () => retry(failed, { commandId })));
  expect(new Set(replies.map(({ position }) => position)).size).toBe(1);
  expect((await typesOf(failed.subject)).filter((type) => type === 'OperationRetried')).toHaveLength(1);
});

it('is refused when there is nothing to try again', async () => {
  const unknown = { operationId: randomUUID() };
  const dismissed = await operation('OperationFailed', 'OperationDismissed');
  const failed = await operation('OperationFailed');
  await expect(retry(unknown)).rejects.toMatchObject({ status: 404 });
  await expect(retry(dismissed)).rejects.toMatchObject({ status: 404 });
  await expect(retry(failed, { space: '7' })).rejects.toMatchObject({
    status: 404,
    message: `Operation ${failed.operationId} not found`,
  });
  const completed = await operation();
  await expect.poll(() => typesOf(completed.subject), { timeout: 20_000 }).toContain('FactsExtracted');
  await expect(retry(completed)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: `Operation ${completed.operationId} is completed: submit a new batch to store something else`,
  });
});
