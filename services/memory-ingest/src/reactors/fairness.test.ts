import { randomUUID } from 'node:crypto';
import { type MemoryEvent, memoryEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { createModels, modelsConfigShape } from '@mneme/models';
import { type Client, createClient, createLogger, loadConfig, type Service, startService } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { refusalReply } from '../errors.ts';
import { batchOwner } from '../operation/batch-owner.ts';
import { createMemoryIngest } from '../service.ts';

let stack: Stack;
let connection: NatsConnection;
let store: EventStore<MemoryEvent>;
let client: Client;
let service: Service;
let ingest: Awaited<ReturnType<typeof createMemoryIngest>> | undefined;

const context = { correlationId: 'test' };
const logger = createLogger({ service: 'test', level: 'silent' });

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  store = connectEventStore({ connection, stream: memoryStream.name, catalog: memoryEvents, source: 'test' });
  client = createClient({ connection });
  service = startService({ connection, name: 'memory-ingest', version: '0.0.1', logger, mapError: refusalReply });
});

afterAll(async () => {
  await ingest?.stop();
  await service?.stop();
  client?.close();
  await connection?.close();
  await stack?.stop();
});

/** Records a batch as the gateway does; returns its subject. */
async function submit(space: string, text: string): Promise<string> {
  const agent = { space, agentId: 'alice' };
  const operationId = randomUUID();
  const subject = memorySubjects.operation(agent, operationId);
  const items = [{ content: text, eventDate: null, context: null }];
  const batch = { ...agent, operationId, part: 0, parts: 1, documentId: null, itemsCount: 1, items };
  await store.append(subject, [{ type: 'BatchSubmitted', data: batch }], 0, context);
  return subject;
}

async function isCompleted(subject: string): Promise<boolean> {
  return (await store.last(subject))?.type === 'FactsExtracted';
}

async function completedOf(space: string): Promise<number> {
  const filter = memorySubjects.operationsOf({ space, agentId: 'alice' });
  const { state } = await (await jetstreamManager(connection)).streams.info(memoryStream.name, {
    subjects_filter: filter,
  });
  return Object.values(state.subjects ?? {}).filter((events) => events > 1).length;
}

it('completes the batch of one space while the 500 of another, which were submitted before it, wait', async () => {
  const text = 'Alice lives in Lisbon and works for Acme. '.repeat(100);
  for (let count = 0; count < 500; count += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => submit('busy', `${text} Day ${count + index}.`)));
  }
  const models = await createModels(loadConfig(z.object(modelsConfigShape), {}));
  ingest = await createMemoryIngest({ connection, store, service, client, models, concurrency: 8, logger });
  const subject = await submit('quiet', 'Bob plays the cello.');
  await expect.poll(() => isCompleted(subject), { timeout: 2_000, interval: 20 }).toBe(true);
  expect(await completedOf('busy')).toBeLessThan(250);
  await expect.poll(() => completedOf('busy'), { timeout: 60_000, interval: 100 }).toBe(500);
});

it('knows a batch by its space and its agent, or by its agent alone', async () => {
  const subject = memorySubjects.operation({ space: '7', agentId: 'alice' }, 'o');
  const owner = (data: string) => batchOwner({ subject, data: new TextEncoder().encode(data) });
  const [space, agent] = owner('{"space":"7","agentId":"alice"}');
  expect([space, agent]).toEqual(['7', subject.split('.')[3]]);
  expect(owner('{"agentId":"alice","space":"7"}')).toEqual([agent, agent]);
  expect(owner('')).toEqual([agent, agent]);
});
