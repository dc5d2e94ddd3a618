import { constants, setPriority } from 'node:os';
import { runService } from '@mneme/service-kit';
import { webhookConfigSchema } from './config.ts';
import { startWebhook } from './start.ts';

// Where a gateway runs on the same machine, calls are taken first, and worked off with what that leaves.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await runService({ name: 'webhook', config: webhookConfigSchema, env: process.env, start: startWebhook });
