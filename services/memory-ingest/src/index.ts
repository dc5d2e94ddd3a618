export { memoryIngestConfigSchema } from './config.ts';
export { startMemoryIngest } from './start.ts';
