import { runService } from '@mneme/service-kit';
import { keysConfigSchema } from './config.ts';
import { startKeys } from './start.ts';

await runService({ name: 'keys', config: keysConfigSchema, env: process.env, start: startKeys });
