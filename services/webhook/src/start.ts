import { accessEvents, accessStream, webhookEvents, webhookStream } from '@mneme/contracts';
import { connectEventStore } from '@mneme/event-store';
import { createReadSlots, readinessOf, startReadModelService } from '@mneme/read-models';
import { countUnknownTypes, createSealing, type ServiceProcess } from '@mneme/service-kit';
import type { WebhookConfig } from './config.ts';
import { refusalReply } from './errors.ts';
import { createPayloadReader } from './flatten/payload-columns.ts';
import { createWebhooks } from './service.ts';
import { newToken } from './webhook/commands.ts';

/** Starts the webhook service on a connection, which stays open when it is stopped. */
export function startWebhook(config: WebhookConfig, process: ServiceProcess) {
  const name = 'webhook';
  const policy = config.ACCESS_POLICY;
  // The stream of spaces and projects belongs to the keys service, which may come later.
  const streams = [webhookStream, accessStream];
  return startReadModelService({ ...process, name, config, streams, mapError: refusalReply }, async (opened) => {
    const { connection, logger, metrics } = opened;
    const store = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source: name });
    const access = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source: name });
    const webhooks = await createWebhooks({
      ...opened,
      store,
      access,
      newToken,
      policy,
      sealing: createSealing(config.SECRETS_KEY),
      payloads: createPayloadReader(config.PAYLOAD_THREADS),
      itemsPerUser: config.ITEMS_PER_USER,
      readSlots: createReadSlots({ metrics, service: name, atOnce: config.QUERY_CONCURRENCY }),
      clock: () => new Date(),
      onUnknownType: countUnknownTypes(metrics),
    });
    if (policy === 'spec') {
      logger.warn(
        'ACCESS_POLICY is "spec": any user may manage the webhooks and tables of every personal space. Set it to "strict" where there is more than one user',
      );
    }
    return { ...webhooks, store, checks: readinessOf(webhooks.readModels), about: { policy } };
  });
}
