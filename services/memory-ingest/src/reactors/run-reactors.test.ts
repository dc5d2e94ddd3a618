import { memoryStream } from '@mneme/contracts';
import { fixedEmbeddings } from '@mneme/embedding-model';
import { openEraser } from '@mneme/event-store';
import { createModels, type FactExtractor, ModelError, modelsConfigSchema } from '@mneme/models';
import { createClient } from '@mneme/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { silent, submit, useTestLog } from '../testing/test-log.ts';
import { runReactors } from './run-reactors.ts';

const log = useTestLog();

const retryAfterMs = 2_000;

/** Runs the reactors with an extractor that is made from the built-in one, until the test is done. */
async function run(
  makeExtractor: (builtIn: FactExtractor) => FactExtractor,
  options: { concurrency: number; modelThreads?: number },
): Promise<void> {
  const { connection, store } = log;
  const models = await createModels(modelsConfigSchema.parse({ EMBEDDING_MODEL: 'builtin:words' }));
  const client = createClient({ connection });
  const reactors = await runReactors({
    connection,
    store,
    eraser: openEraser(connection, memoryStream.name),
    storeFor: () => store,
    client,
    models: { ...models, extractor: makeExtractor(models.extractor) },
    embeddings: fixedEmbeddings(models.embeddings),
    logger: silent,
    ...options,
  });
  onTestFinished(async () => {
    await Promise.all(reactors.map((reactor) => reactor.stop()));
    client.close();
    await models.close();
  });
}

it('tries a batch again when the model server allows it, as its Retry-After says', async () => {
  const tries: number[] = [];
  const limited = (builtIn: FactExtractor): FactExtractor => ({
    name: 'limited',
    extract: async (item) => {
      tries.push(performance.now());
      if (tries.length === 1) throw new ModelError('rate-limited', 'No more requests now.', { retryAfterMs });
      return builtIn.extract(item);
    },
  });
  await run(limited, { concurrency: 1 });
  const subject = await submit(log, ['Alice lives in Lisbon.']);
  await expect.poll(() => log.typesOf(subject), { timeout: 15_000 }).toContain('FactsExtracted');
  const [first = 0, second = 0] = tries;
  // Without it, the second try follows after a second. Timers of the server and of this process may differ a little.
  expect(second - first).toBeGreaterThan(retryAfterMs - 100);
});

it('reads as many large batches at once as it has threads for long texts', async () => {
  let inWork = 0;
  let most = 0;
  const released = Promise.withResolvers<void>();
  const held = (builtIn: FactExtractor): FactExtractor => ({
    name: 'held',
    extract: async (item) => {
      inWork += 1;
      most = Math.max(most, inWork);
      await released.promise;
      inWork -= 1;
      return builtIn.extract({ ...item, content: 'Alice lives in Lisbon.' });
    },
  });
  await run(held, { concurrency: 8, modelThreads: 4 });
  const large = 'Alice lives in Lisbon. '.repeat(5_000);
  const subjects = await Promise.all([1, 2, 3, 4].map(() => submit(log, [large])));
  await expect.poll(() => inWork, { timeout: 15_000 }).toBe(3);
  released.resolve();
  for (const subject of subjects)
    await expect.poll(() => log.typesOf(subject), { timeout: 15_000 }).toContain('FactsExtracted');
  expect(most).toBe(3);
});
