export { keysConfigSchema } from './config.ts';
export { startKeys } from './start.ts';
