export { type WebhookConfig, webhookConfigSchema } from './config.ts';
export { startWebhook, type WebhookProcess } from './start.ts';
