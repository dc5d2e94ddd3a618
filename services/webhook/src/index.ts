export { webhookConfigSchema } from './config.ts';
export { startWebhook } from './start.ts';
