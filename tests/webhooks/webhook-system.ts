import { type System, startSystem } from '../system/start-system.ts';

/** Starts as much of Mneme as webhooks need, each service in a process of its own; those of the memory area stay away. */
export function startWebhookSystem(environment: Readonly<Record<string, string>> = {}): Promise<System> {
  return startSystem({ processes: 'each', services: ['keys', 'webhook', 'gateway'], environment });
}
