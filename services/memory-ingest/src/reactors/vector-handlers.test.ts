import { memoryStream } from '@mneme/contracts';
import { fixedEmbeddings, type LogEmbeddings } from '@mneme/embedding-model';
import { createHashedEmbeddings, type EmbeddingModel } from '@mneme/models';
import { createClient } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it, onTestFinished } from 'vitest';
import { silent, useTestLog } from '../testing/test-log.ts';
import { factBacklog, vectorBacklog } from './backlog.ts';
import { keepVectorHandlers } from './vector-handlers.ts';

const words = createHashedEmbeddings();
/** The model that compares words, as if it took long. */
const slow: EmbeddingModel = { ...words, isSlow: true, isServed: false };

const log = useTestLog();

/** The models of a log whose current one can be exchanged, as after a change that is done. */
function changingEmbeddings(first: EmbeddingModel) {
  let current = fixedEmbeddings(first);
  const listeners = new Set<() => void>();
  const embeddings: LogEmbeddings = {
    ...current,
    current: () => current.current(),
    state: () => current.state(),
    onChange: (changed) => {
      listeners.add(changed);
      return { cancel: () => void listeners.delete(changed) };
    },
  };
  const change = (model: EmbeddingModel) => {
    current = fixedEmbeddings(model);
    for (const changed of listeners) changed();
  };
  return { embeddings, change };
}

/** Runs the handlers as one more instance of the service. */
async function keep(embeddings: LogEmbeddings) {
  const { connection, store } = log;
  const client = createClient({ connection });
  const deps = { connection, store, storeFor: () => store, client, embeddings, logger: silent };
  const backlogs = { facts: factBacklog(deps), vectors: vectorBacklog(deps) };
  const kept = await keepVectorHandlers({ ...deps, ackWaitMs: 5_000, backlogs });
  const end = async () => {
    await kept.stop();
    client.close();
  };
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end();
    return ended;
  };
  onTestFinished(stop);
  return { stop };
}

/** The durables of the stream, sorted. */
async function durables(): Promise<readonly string[]> {
  const manager = await jetstreamManager(log.connection);
  const names: string[] = [];
  for await (const { name } of manager.consumers.list(memoryStream.name)) names.push(name);
  return names.sort();
}

it('has a durable for as long as the model of the log takes long, whichever instance learns of a change first', async () => {
  const [first, second] = [changingEmbeddings(slow), changingEmbeddings(slow)];
  await keep(first.embeddings);
  await keep(second.embeddings);
  expect(await durables()).toEqual(['memory-vectors']);
  first.change(words);
  second.change(words);
  await expect.poll(durables, { timeout: 15_000 }).toEqual([]);
  first.change(slow);
  await expect.poll(durables, { timeout: 15_000 }).toEqual(['memory-vectors']);
});

it('removes at a start the durable of an instance that was killed before it could', async () => {
  const killed = await keep(changingEmbeddings(slow).embeddings);
  await killed.stop();
  expect(await durables()).toEqual(['memory-vectors']);
  await keep(changingEmbeddings(words).embeddings);
  expect(await durables()).toEqual([]);
});
