import { embeddingEvents, type MemoryEvent, memoryEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, ensureStream, newestStore } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { modelsConfigShape } from '@mneme/models';
import { startModelServer } from '@mneme/models/testing';
import { closeNats, connectNats, createLogger, createMetrics, startService } from '@mneme/service-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { EmbeddingModelMismatchError } from './errors.ts';
import { connectModelStore } from './model-store.ts';
import { startModels } from './start-models.ts';
import { storedDimensions } from './stored-dimensions.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const schema = z.object(modelsConfigShape);
const agent = { space: 'public', agentId: 'ana' };

function base64({ buffer }: Float32Array): string {
  return Buffer.from(buffer).toString('base64');
}

function factsOf(operationId: string, vector: Float32Array): MemoryEvent {
  const batch = { operationId, documentId: null, part: 0, parts: 1, firstFact: 0 };
  const made = { extractor: 'test', embeddingModel: 'openai:one', contexts: {} };
  const fact = { factType: 'world', eventDate: '2026-01-01T00:00:00.000Z', item: 0 } as const;
  const facts = [{ ...fact, entities: [], text: 'Ana lives in Porto.', vector: base64(vector) }];
  return { type: 'FactsExtracted', data: { ...agent, ...batch, ...made, facts } };
}

/** A log for `builtin:words` in which nothing is stored, and starts with other settings on it. */
async function startUnusedLog() {
  const stack = await startTestStack({ servers: ['nats'] });
  onTestFinished(() => stack.stop());
  const connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
  onTestFinished(() => closeNats(connection));
  const server = await startModelServer();
  onTestFinished(() => server.stop());
  await ensureStream(connection, { ...memoryStream, replicas: 1 });
  const served = { EMBEDDING_BASE_URL: server.url, EMBEDDING_DIMENSIONS: '64' };
  const start = async (EMBEDDING_MODEL: string, settings: object = served) => {
    const config = { ...schema.parse({ ...settings, EMBEDDING_MODEL }), STREAM_REPLICAS: 1 };
    const { models, embeddings } = await startModels(config, { connection, source: 'test' });
    await embeddings.stop();
    await models.close();
    return models.embeddings.name;
  };
  await start('builtin:words');
  const load = () => connectModelStore(connection, 'test').load();
  return { connection, start, load };
}

it('chooses another configured model as long as nothing is stored', async () => {
  const { start, load } = await startUnusedLog();
  expect(await start('openai:one')).toBe('openai:one@64');
  expect(await load()).toMatchObject({ current: 'openai:one@64', next: undefined, through: 1 });
  expect(await start('openai:one')).toBe('openai:one@64');
});

it.each([
  ['that it began with', 'builtin:words', 'mneme-hash-512-v1', undefined],
  ['chosen by the setting alone', 'openai:two', 'openai:two@64', 1],
])('stays with the model %s as soon as something is stored', async (_, setting, embeddingModel, through) => {
  const { connection, start, load } = await startUnusedLog();
  await start(setting);
  const store = connectEventStore({ connection, stream: memoryStream.name, source: 'test', catalog: memoryEvents });
  const batch = { operationId: 'batch', documentId: null, part: 0, parts: 1, firstFact: 0 };
  const made = { extractor: 'test', embeddingModel, contexts: {} };
  const stored: MemoryEvent = { type: 'FactsExtracted', data: { ...agent, ...batch, ...made, facts: [] } };
  await store.append(memorySubjects.operation(agent, 'batch'), [stored], 0, { correlationId: 'test' });
  const refusal = `The stored memory was made with the embedding model ${embeddingModel}, not with openai:one@64`;
  await expect(start('openai:one')).rejects.toThrow(refusal);
  expect(await load()).toMatchObject({ current: embeddingModel, through });
});

describe('a model on a server that gives vectors of another length under the same name', () => {
  const startServer = async (dimensions: number) => {
    const server = await startModelServer({ dimensions });
    onTestFinished(() => server.stop());
    return { EMBEDDING_BASE_URL: server.url };
  };
  const refusal = 'openai:one gave vectors of 64 numbers when the memory was stored, and gives 65 now.';

  it('does not start on a log that has recorded the length', async () => {
    const { start, load } = await startUnusedLog();
    await start('openai:one', await startServer(64));
    expect(await load()).toMatchObject({ current: 'openai:one', dimensions: { 'openai:one': 64 } });
    await expect(start('openai:one', await startServer(65))).rejects.toThrow(refusal);
    expect(await start('openai:one', await startServer(64))).toBe('openai:one');
  });

  it('does not start on a log of an earlier release, which has recorded no length', async () => {
    const { connection, start, load } = await startUnusedLog();
    const chosen = { type: 'EmbeddingModelChosen', data: { embeddingModel: 'openai:one' } } as const;
    const log = { connection, stream: memoryStream.name, source: 'test' };
    const choices = newestStore(connectEventStore({ ...log, catalog: embeddingEvents }));
    await choices.append(memorySubjects.embeddingModel, [chosen], 1, { correlationId: 'test' });
    const store = connectEventStore({ ...log, catalog: memoryEvents });
    // The second one is of a start that nothing had refused.
    for (const [index, length] of [64, 65].entries()) {
      const facts = factsOf(`batch-${index}`, new Float32Array(length));
      await store.append(memorySubjects.operation(agent, `batch-${index}`), [facts], 0, { correlationId: 'test' });
    }
    await expect(start('openai:one', await startServer(65))).rejects.toThrow(refusal);
    expect((await load()).dimensions).toEqual({});
    expect(await start('openai:one', await startServer(64))).toBe('openai:one');
    expect(await load()).toMatchObject({ current: 'openai:one', dimensions: { 'openai:one': 64 } });
  });

  it('is known by what an interrupted `mneme reembed` has added', async () => {
    const { connection, load } = await startUnusedLog();
    const store = connectEventStore({
      connection,
      stream: memoryStream.name,
      source: 'test',
      catalog: embeddingEvents,
    });
    const vectors = [base64(new Float32Array(64))];
    const data = { ...agent, operationId: null, firstFact: 0, embeddingModel: 'openai:one', of: 1, vectors };
    const subject = memorySubjects.vectors(agent, 'openai:one', 1);
    await store.append(subject, [{ type: 'VectorsAdded', data }], 0, { correlationId: 'test' });
    expect(await storedDimensions(connection, await load(), 'openai:one')).toBe(64);
    expect(await storedDimensions(connection, await load(), 'openai:two')).toBeUndefined();
  });
});

it('stays with its model while a service runs with it', async () => {
  const { connection, start, load } = await startUnusedLog();
  const metrics = createMetrics();
  const service = startService({ connection, name: 'memory-query', logger, metrics, mapError: () => undefined });
  service.announce();
  await expect(start('openai:one')).rejects.toThrow(EmbeddingModelMismatchError);
  expect(await load()).toMatchObject({ current: 'mneme-hash-512-v1' });
  await service.stop();
});

it('gets the model of one of two services that start at once, and the other says why it does not start', async () => {
  const { start, load } = await startUnusedLog();
  const starts = await Promise.allSettled([start('openai:one'), start('openai:two')]);
  const refused = starts.filter(({ status }) => status === 'rejected');
  const { current } = await load();
  expect(refused).toEqual([{ status: 'rejected', reason: expect.any(EmbeddingModelMismatchError) }]);
  expect(refused[0]).toMatchObject({
    reason: { message: expect.stringContaining(`with the embedding model ${current},`) },
  });
});
