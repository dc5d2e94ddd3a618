import { type MemoryEvent, memoryEvents, memoryStream, memorySubjects } from '@mneme/contracts';
import { connectEventStore, ensureStream } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { modelsConfigShape } from '@mneme/models';
import { startModelServer } from '@mneme/models/testing';
import { closeNats, connectNats, createLogger, createMetrics, startService } from '@mneme/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { EmbeddingModelMismatchError } from './errors.ts';
import { connectModelStore } from './model-store.ts';
import { startModels } from './start-models.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const schema = z.object(modelsConfigShape);

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
  const start = async (EMBEDDING_MODEL: string) => {
    const config = { ...schema.parse({ ...served, EMBEDDING_MODEL }), STREAM_REPLICAS: 1 };
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

it('stays with its model as soon as something is stored', async () => {
  const { connection, start, load } = await startUnusedLog();
  const store = connectEventStore({ connection, stream: memoryStream.name, source: 'test', catalog: memoryEvents });
  const agent = { space: 'public', agentId: 'ana' };
  const batch = { operationId: 'batch', documentId: null, part: 0, parts: 1, firstFact: 0 };
  const made = { extractor: 'test', embeddingModel: 'mneme-hash-512-v1', contexts: {} };
  const stored: MemoryEvent = { type: 'FactsExtracted', data: { ...agent, ...batch, ...made, facts: [] } };
  await store.append(memorySubjects.operation(agent, 'batch'), [stored], 0, { correlationId: 'test' });
  await expect(start('openai:one')).rejects.toThrow(EmbeddingModelMismatchError);
  expect(await load()).toMatchObject({ current: 'mneme-hash-512-v1', through: undefined });
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
