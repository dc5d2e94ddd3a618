import { constants, getPriority, setPriority } from 'node:os';
import { runService } from '@mneme/service-kit';
import { webhookConfigSchema } from './config.ts';
import { startWebhook } from './start.ts';

const { PRIORITY_BELOW_NORMAL } = constants.priority;
// Where a gateway runs on the same machine, calls are taken first, and worked off with what that leaves.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
await runService({ name: 'webhook', config: webhookConfigSchema, env: process.env, start: startWebhook });
