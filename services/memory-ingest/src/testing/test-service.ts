import { fixedEmbeddings } from '@mneme/embedding-model';
import { createModels, modelsConfigShape } from '@mneme/models';
import { type Client, createClient, loadConfig, startService } from '@mneme/service-kit';
import { z } from 'zod';
import { refusalReply } from '../errors.ts';
import { createMemoryIngest } from '../service.ts';
import { silent, type TestLog } from './test-log.ts';

/** memory-ingest with the built-in models on a test log. */
export interface TestService {
  readonly client: Client;
  stop(): Promise<void>;
}

export async function startTestService(
  { connection, store }: TestLog,
  { concurrency }: { readonly concurrency: number },
): Promise<TestService> {
  const client = createClient({ connection });
  const service = startService({
    connection,
    name: 'memory-ingest',
    version: '0.0.1',
    logger: silent,
    mapError: refusalReply,
  });
  const models = await createModels(loadConfig(z.object(modelsConfigShape), { EMBEDDING_MODEL: 'builtin:words' }));
  const embeddings = fixedEmbeddings(models.embeddings);
  const logger = silent;
  const ingest = await createMemoryIngest({
    connection,
    store,
    service,
    client,
    models,
    embeddings,
    concurrency,
    logger,
  });
  return {
    client,
    stop: async () => {
      await ingest.stop();
      await service.stop();
      client.close();
    },
  };
}
