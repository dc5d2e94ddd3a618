export { type MemoryMiddlewareOptions, memoryMiddleware } from './middleware.ts';
export { type MemoryTools, type MemoryToolsOptions, memoryTools } from './tools.ts';
