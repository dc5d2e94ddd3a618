import { type WebhookEvent, webhookTokensBucket } from '@mneme/contracts';
import { type EventStore, watchConnection } from '@mneme/event-store';
import { createSealing, type Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { openRecordBucket } from '../../buckets.ts';
import type { GatewayConfig } from '../../config.ts';
import type { IntakeDeps } from './bind-intake.ts';
import { openSenderDeliveries } from './sender-deliveries.ts';
import { createWebhookRateLimit } from './webhook-rate-limit.ts';
import { createWebhookTokens } from './webhook-tokens.ts';

/** Opens what deliveries are checked with and recorded in. */
export async function openIntake(deps: {
  config: GatewayConfig;
  connection: NatsConnection;
  store: EventStore<WebhookEvent>;
  logger: Logger;
}): Promise<IntakeDeps> {
  const { config, connection, store, logger } = deps;
  const replicas = config.STREAM_REPLICAS;
  const watch = watchConnection(connection);
  return {
    store,
    logger,
    clock: Date.now,
    bodyLimitBytes: config.WEBHOOK_BODY_LIMIT,
    rateLimit: createWebhookRateLimit({ perSecond: config.WEBHOOK_RATE_LIMIT, clock: () => performance.now() }),
    tokens: createWebhookTokens(await openRecordBucket(connection, { ...webhookTokensBucket, replicas, watch })),
    senderDeliveries: await openSenderDeliveries({
      connection,
      watch,
      replicas,
      maxBytes: config.IDEMPOTENCY_MAX_BYTES,
    }),
    sealing: config.SECRETS_KEY && createSealing(config.SECRETS_KEY),
  };
}
