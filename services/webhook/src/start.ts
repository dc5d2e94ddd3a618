import { accessEvents, accessStream, webhookEvents, webhookStream } from '@mneme/contracts';
import { connectEventStore, connectMongo, ensureDeadLetterStream, ensureStream } from '@mneme/event-store';
import { measureReadModels } from '@mneme/read-models';
import { type Check, countUnknownTypes, createSealing, type ServiceProcess, startService } from '@mneme/service-kit';
import type { WebhookConfig } from './config.ts';
import { refusalReply } from './errors.ts';
import { createWebhooks } from './service.ts';
import { newToken } from './webhook/commands.ts';

const name = 'webhook';

/** Starts the webhook service on a connection, which stays open when it is stopped. */
export async function startWebhook(config: WebhookConfig, { connection, logger, metrics }: ServiceProcess) {
  const replicas = config.STREAM_REPLICAS;
  // The stream of spaces and projects belongs to the keys service, which may come later.
  for (const stream of [webhookStream, accessStream]) await ensureStream(connection, { ...stream, replicas });
  await ensureDeadLetterStream(connection, replicas);
  const store = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source: name });
  const access = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source: name });
  const client = await connectMongo(config.MONGODB_URL);
  const db = client.db(config.MONGODB_DATABASE);
  const service = startService({ connection, name, logger, metrics, mapError: refusalReply });
  const webhooks = await createWebhooks({
    connection,
    store,
    access,
    service,
    client,
    db,
    replicas,
    newToken,
    logger,
    policy: config.ACCESS_POLICY,
    sealing: createSealing(config.SECRETS_KEY),
    clock: () => new Date(),
    onUnknownType: countUnknownTypes(metrics),
  });
  service.announce();
  logger.info({ policy: config.ACCESS_POLICY }, 'webhook is ready');
  if (config.ACCESS_POLICY === 'spec') {
    logger.warn(
      'ACCESS_POLICY is "spec": any user may manage the webhooks and tables of every personal space. Set it to "strict" where there is more than one user',
    );
  }
  const checks: Record<string, Check> = {
    nats: async () => (await store.head()) >= 0,
    mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
    ...Object.fromEntries(webhooks.readModels.map((each) => [each.name, () => each.readiness()])),
  };
  const measuring = measureReadModels(metrics, webhooks.readModels);
  return {
    checks,
    stop: async () => {
      await service.stop();
      measuring.stop();
      await webhooks.stop();
      await client.close();
    },
  };
}
