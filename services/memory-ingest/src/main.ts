import { runService } from '@mneme/service-kit';
import { memoryIngestConfigSchema } from './config.ts';
import { startMemoryIngest } from './start.ts';

await runService({
  name: 'memory-ingest',
  config: memoryIngestConfigSchema,
  env: process.env,
  start: startMemoryIngest,
});
