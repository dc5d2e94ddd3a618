import { agentKey, type MemoryEvent, memoryEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectModelStore, embedAll } from '@mneme/embedding-model';
import { connectEventStore, ensureStream, openEraser } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { createHashedEmbeddings, type EmbeddingModel } from '@mneme/models';
import { closeNats, connectNats, createLogger } from '@mneme/service-kit';
import { headers } from '@nats-io/nats-core';
import { expect, it, onTestFinished } from 'vitest';
import { fillVectors } from './fill-vectors.ts';

const context = { correlationId: 'test' };
const logger = createLogger({ service: 'test', level: 'silent' });

async function startTestLog() {
  const stack = await startTestStack({ servers: ['nats'] });
  onTestFinished(() => stack.stop());
  const connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
  onTestFinished(() => closeNats(connection));
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  const log = { connection, stream: memoryStream.name, source: 'test' };
  const store = connectEventStore({ ...log, catalog: memoryEvents });
  return { connection, store, eraser: openEraser(connection, memoryStream.name) };
}

function factsOf(agentId: string, { embeddingModel = 'test', vector = '' } = {}): MemoryEvent {
  const batch = { operationId: 'batch', documentId: null, part: 0, parts: 1, firstFact: 0 };
  const fact = { factType: 'world', eventDate: '2026-01-01T00:00:00.000Z', item: 0, vector } as const;
  const facts = [{ ...fact, entities: [], text: `${agentId} lives in Porto.` }];
  const made = { extractor: 'test', embeddingModel, contexts: {} };
  return { type: 'FactsExtracted', data: { space: 'public', agentId, ...batch, ...made, facts } };
}

it('adds nothing of an agent that is erased while its texts are embedded', async () => {
  const { connection, store, eraser } = await startTestLog();
  const [alice, ben] = ['alice', 'ben'].map((agentId) => ({ space: 'public', agentId }));
  if (!alice || !ben) throw new Error('There are two agents');
  for (const agent of [alice, ben]) {
    await store.append(memorySubjects.operation(agent, 'batch'), [factsOf(agent.agentId)], 0, context);
  }
  const erase = async () => {
    const erased: MemoryEvent = { type: 'AgentErased', data: { space: 'public', agentKey: agentKey(alice) } };
    await store.append(memorySubjects.agent(alice), [erased], 0, context);
    await eraser.erase((await eraser.find(memorySubjects.allOf(alice))).map(({ sequence }) => sequence));
  };
  const words = createHashedEmbeddings();
  const embeddings: EmbeddingModel = {
    ...words,
    embed: async (texts, options) => {
      await erase();
      return words.embed(texts, options);
    },
  };
  const models = connectModelStore(connection, 'test');
  await fillVectors({ connection, models, store, embeddings, onProgress: () => undefined }, 1, await store.head());
  expect(await eraser.find(memorySubjects.allOf(alice))).toEqual([]);
  expect((await eraser.find(memorySubjects.allOf(ben))).map(({ type }) => type)).toEqual([
    'FactsExtracted',
    'VectorsAdded',
  ]);
});

it('leaves out what cannot be read, and names it', async () => {
  const { connection, store, eraser } = await startTestLog();
  const [broken, ben] = ['broken', 'ben'].map((agentId) => ({ space: 'public', agentId }));
  if (!broken || !ben) throw new Error('There are two agents');
  const head = headers();
  head.set('ce-type', 'FactsExtracted');
  await connection.request(memorySubjects.operation(broken, 'batch'), '{}', { headers: head, timeout: 5_000 });
  await store.append(memorySubjects.operation(ben, 'batch'), [factsOf('ben')], 0, context);
  const models = connectModelStore(connection, 'test');
  const deps = { connection, models, store, embeddings: createHashedEmbeddings(), onProgress: () => undefined };
  const filled = await fillVectors(deps, 1, await store.head());
  expect(filled).toMatchObject({ to: 2, events: 1, texts: 1 });
  expect(filled.unreadable.map(({ position }) => position)).toEqual([{ stream: memoryStream.name, sequence: 1 }]);
  expect((await eraser.find(memorySubjects.allOf(ben))).map(({ type }) => type)).toContain('VectorsAdded');
});

it('embeds texts again whose vectors have another length than those of their model', async () => {
  const { connection, store } = await startTestLog();
  const embeddings = createHashedEmbeddings();
  const [vector] = await embedAll(embeddings, [{ text: 'ana lives in Porto.' }]);
  const stored = { ana: vector, ben: 'AACAPwAAAAA=' };
  for (const [agentId, own] of Object.entries(stored)) {
    const facts = factsOf(agentId, { embeddingModel: embeddings.name, vector: own });
    await store.append(memorySubjects.operation({ space: 'public', agentId }, 'batch'), [facts], 0, context);
  }
  const deps = { connection, models: connectModelStore(connection, 'test'), store, embeddings };
  const fill = async () => fillVectors({ ...deps, onProgress: () => undefined }, 1, await store.head());
  expect(await fill()).toMatchObject({ events: 1, texts: 1 });
  const ben = memorySubjects.vectors({ space: 'public', agentId: 'ben' }, embeddings.name, 2);
  // They take effect where they stand: the event itself counts as one without vectors.
  expect((await store.load(ben)).events).toMatchObject([{ data: { operationId: 'batch', of: 2 } }]);
  expect(await fill()).toMatchObject({ events: 0 });
});
