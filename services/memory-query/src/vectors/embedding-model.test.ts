import { type EmbeddingEvent, embeddingEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, type EventStore, ensureStream } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { createHashedEmbeddings } from '@mneme/models';
import { createLogger } from '@mneme/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogWriter, withoutVectors } from '../testing/events.ts';
import { createOwnVectors } from './embedding-model.ts';

const agent = { space: 'public', agentId: 'alice' };
const logger = createLogger({ service: 'test', level: 'silent' });
const embeddings = { name: 'other', dimensions: 2 };
const areExpected = () => true;

let stack: Stack;
let connection: NatsConnection;
let store: EventStore<EmbeddingEvent>;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl });
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  store = connectEventStore({ connection, stream: memoryStream.name, catalog: embeddingEvents, source: 'test' });
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

it('replaces the vectors of another model by those that were added for this one', async () => {
  const event = await createLogWriter().extracted('a', null, 'Tea.', 'Milk.');
  const subject = memorySubjects.vectors(agent, 'other', event.position.sequence);
  const added = ['AACAPwAAAAA=', 'AAAAAAAAgD8='].map((vector) => {
    return {
      type: 'VectorsAdded' as const,
      data: { ...agent, operationId: null, firstFact: 0, embeddingModel: 'other', of: 1, vectors: [vector] },
    };
  });
  await store.append(subject, added, 0, { correlationId: 'test' });
  const [own] = await createOwnVectors({ store, embeddings, areExpected, logger })([event]);
  expect(own?.data).toMatchObject({
    embeddingModel: 'other',
    facts: [
      { text: 'Tea.', vector: 'AACAPwAAAAA=' },
      { text: 'Milk.', vector: 'AAAAAAAAgD8=' },
    ],
  });
});

it('gives facts without vectors empty ones, so that they are found by their words', async () => {
  const log = createLogWriter();
  log.submitted('a', null, 'x');
  const [own] = await createOwnVectors({ store, embeddings, areExpected, logger })([
    await log.extracted('a', null, 'Tea.'),
  ]);
  expect(own?.data).toMatchObject({ embeddingModel: 'other', facts: [{ vector: '' }] });
});

it('leaves vectors that take effect later to their own position', async () => {
  const log = createLogWriter();
  for (let n = 0; n < 4; n += 1) log.submitted(`s${n}`, null, 'x');
  const event = await log.extracted('s0', null, 'Tea.');
  const of = event.position.sequence;
  const data = { ...agent, operationId: 's0', firstFact: 0, embeddingModel: 'other', of, vectors: ['AACAPwAAAAA='] };
  const subject = memorySubjects.vectors(agent, 'other', of);
  await store.append(subject, [{ type: 'VectorsAdded', data }], 0, { correlationId: 'test' });
  const [own] = await createOwnVectors({ store, embeddings, areExpected: () => false, logger })([event]);
  expect(own?.data).toMatchObject({ embeddingModel: 'other', facts: [{ vector: '' }] });
});

it('does not change events of its own model', async () => {
  const log = createLogWriter();
  const event = await log.extracted('a', null, 'Tea.');
  const events = [event, withoutVectors(event), log.vectorsAdded(event)];
  const own = createHashedEmbeddings();
  expect(await createOwnVectors({ store, embeddings: own, areExpected, logger })(events)).toEqual(events);
});

it('leaves out vectors of another length, which a collection cannot store beside the others', async () => {
  const log = createLogWriter();
  const event = await log.extracted('a', null, 'Tea.');
  const own = { ...createHashedEmbeddings(), dimensions: 2 };
  const deps = { store, embeddings: own, areExpected, logger };
  expect(await createOwnVectors(deps)([event, log.vectorsAdded(event)])).toEqual([withoutVectors(event)]);
});
