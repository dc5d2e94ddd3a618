export { type KeysConfig, keysConfigSchema } from './config.ts';
export { type KeysProcess, startKeys } from './start.ts';
