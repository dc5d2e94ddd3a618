import { type Client, createClient, createMetrics, loadConfig } from '@mneme/service-kit';
import { memoryIngestConfigSchema } from '../config.ts';
import { startMemoryIngest } from '../start.ts';
import { silent, type TestLog } from './test-log.ts';

/** memory-ingest with the built-in models on a test log. */
export interface TestService {
  readonly client: Client;
  stop(): Promise<void>;
}

export async function startTestService(
  { connection }: TestLog,
  { concurrency }: { readonly concurrency: number },
): Promise<TestService> {
  const client = createClient({ connection });
  const env = { EMBEDDING_MODEL: 'builtin:words', INGEST_CONCURRENCY: String(concurrency) };
  const config = loadConfig(memoryIngestConfigSchema, env);
  const ingest = await startMemoryIngest(config, { connection, logger: silent, metrics: createMetrics() });
  return {
    client,
    stop: async () => {
      await ingest.stop();
      client.close();
    },
  };
}
