export { type MemoryQueryConfig, memoryQueryConfigSchema } from './config.ts';
export { type MemoryQueryProcess, startMemoryQuery } from './start.ts';
