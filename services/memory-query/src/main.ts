import { runService } from '@mneme/service-kit';
import { memoryQueryConfigSchema } from './config.ts';
import { startMemoryQuery } from './start.ts';

await runService({ name: 'memory-query', config: memoryQueryConfigSchema, env: process.env, start: startMemoryQuery });
