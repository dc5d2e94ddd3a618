export { memoryQueryConfigSchema } from './config.ts';
export { startMemoryQuery } from './start.ts';
