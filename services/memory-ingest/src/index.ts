export { type MemoryIngestConfig, memoryIngestConfigSchema } from './config.ts';
export { type MemoryIngestProcess, startMemoryIngest } from './start.ts';
