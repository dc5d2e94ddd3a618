import { type System, startSystem } from '../system/start-system.ts';

/** Starts as much of Mneme as webhooks need, each service in a process of its own; those of the memory area stay away. */
export function startWebhookSystem(environment: Readonly<Record<string, string>> = {}): Promise<System> {
  // Tests send as fast as the machine allows, a storm of 1,000 a second included.
  const settings = { WEBHOOK_RATE_LIMIT: '5000', ...environment };
  return startSystem({ processes: 'each', services: ['keys', 'webhook', 'gateway'], environment: settings });
}
