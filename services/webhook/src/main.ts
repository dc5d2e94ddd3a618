import { runService } from '@mneme/service-kit';
import { webhookConfigSchema } from './config.ts';
import { startWebhook } from './start.ts';

await runService({ name: 'webhook', config: webhookConfigSchema, env: process.env, start: startWebhook });
