import { constants, getPriority, setPriority } from 'node:os';
import { runService } from '@mneme/service-kit';
import { webhookConfigSchema } from './config.ts';
import { startWebhook } from './start.ts';

const { PRIORITY_BELOW_NORMAL } = constants.priority;
// A gateway on the same machine comes first: deliveries are received at once, and processed with the remaining CPU time.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
await runService({ name: 'webhook', config: webhookConfigSchema, env: process.env, start: startWebhook });
