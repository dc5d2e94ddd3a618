import { type WebhookEvent, webhookTokensBucket } from '@mneme/contracts';
import { type EventStore, maxEventBytes } from '@mneme/event-store';
import { createSealing } from '@mneme/service-kit';
import { openRecordBucket } from '../../buckets.ts';
import type { GatewayConfig } from '../../config.ts';
import type { GatewayBucketDeps } from '../../gateway-bucket.ts';
import type { IntakeDeps } from './bind-intake.ts';
import { openSenderDeliveries } from './sender-deliveries.ts';
import { createWebhookRateLimit } from './webhook-rate-limit.ts';
import { createWebhookTokens } from './webhook-tokens.ts';

/** Opens what deliveries are checked with and recorded in. */
export async function openIntake(deps: {
  config: GatewayConfig;
  buckets: GatewayBucketDeps;
  store: EventStore<WebhookEvent>;
}): Promise<IntakeDeps> {
  const { config, buckets, store } = deps;
  const { connection, replicas, watch, logger } = buckets;
  return {
    store,
    maxEventBytes: () => maxEventBytes(connection),
    logger,
    clock: Date.now,
    bodyLimitBytes: config.WEBHOOK_BODY_LIMIT,
    rateLimit: createWebhookRateLimit({ perSecond: config.WEBHOOK_RATE_LIMIT, clock: () => performance.now() }),
    tokens: createWebhookTokens(await openRecordBucket(connection, { ...webhookTokensBucket, replicas, watch })),
    senderDeliveries: await openSenderDeliveries({ ...buckets, maxBytes: config.IDEMPOTENCY_MAX_BYTES }),
    sealing: config.SECRETS_KEY && createSealing(config.SECRETS_KEY),
  };
}
