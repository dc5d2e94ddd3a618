export { type KeysConfig, keysConfigSchema } from './config.ts';
export { startKeys } from './start.ts';
