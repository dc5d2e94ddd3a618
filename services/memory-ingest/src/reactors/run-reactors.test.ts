import { randomUUID } from 'node:crypto';
import { memorySubjects } from '@mneme/contracts';
import { fixedEmbeddings } from '@mneme/embedding-model';
import { createModels, type FactExtractor, ModelError, modelsConfigShape } from '@mneme/models';
import { createClient } from '@mneme/service-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { silent, startTestLog, type TestLog } from '../testing/test-log.ts';
import { runReactors } from './run-reactors.ts';

let log: TestLog;

const retryAfterMs = 2_500;

beforeAll(async () => {
  log = await startTestLog();
});

afterAll(() => log?.stop());

it('tries a batch again when the model server allows it, as its Retry-After says', async () => {
  const { connection, store } = log;
  const models = await createModels(z.object(modelsConfigShape).parse({ EMBEDDING_MODEL: 'builtin:words' }));
  const tries: number[] = [];
  const extractor: FactExtractor = {
    name: 'limited',
    extract: async (item) => {
      tries.push(performance.now());
      if (tries.length === 1) throw new ModelError('rate-limited', 'No more requests now.', { retryAfterMs });
      return models.extractor.extract(item);
    },
  };
  const client = createClient({ connection });
  const embeddings = fixedEmbeddings(models.embeddings);
  const reactors = await runReactors({
    connection,
    store,
    client,
    models: { ...models, extractor },
    embeddings,
    logger: silent,
    concurrency: 1,
  });
  const agent = { space: 'public', agentId: 'alice' };
  const operationId = randomUUID();
  const subject = memorySubjects.operation(agent, operationId);
  const items = [{ content: 'Alice lives in Lisbon.', eventDate: null, context: null }];
  const data = { ...agent, operationId, documentId: null, itemsCount: 1, items, part: 0, parts: 1 };
  await store.append(subject, [{ type: 'BatchSubmitted', data }], 0, { correlationId: 'test' });
  await expect.poll(() => log.typesOf(subject), { timeout: 15_000 }).toContain('FactsExtracted');
  const [first = 0, second = 0] = tries;
  // Without it, the second try follows after a second. Timers of the server and of this process may differ a little.
  expect(second - first).toBeGreaterThan(retryAfterMs - 100);
  await Promise.all(reactors.map((reactor) => reactor.stop()));
  client.close();
  await models.close();
});
