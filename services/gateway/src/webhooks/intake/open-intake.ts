import { type WebhookEvent, webhookTokensBucket } from '@mneme/contracts';
import { type EventStore, maxEventBytes } from '@mneme/event-store';
import { createSealing } from '@mneme/service-kit';
import { openRecordBucket } from '../../buckets.ts';
import type { GatewayConfig } from '../../config.ts';
import type { GatewayBucketDeps } from '../../gateway-bucket.ts';
import type { HeldBodies } from '../../http/input/held-bodies.ts';
import type { IntakeDeps } from './bind-intake.ts';
import { openSenderDeliveries } from './sender-deliveries.ts';
import { createWebhookRateLimit } from './webhook-rate-limit.ts';
import { createWebhookTokens } from './webhook-tokens.ts';

/** Opens what deliveries are checked with and recorded in. */
export async function openIntake(deps: {
  config: GatewayConfig;
  buckets: GatewayBucketDeps;
  store: EventStore<WebhookEvent>;
  heldBodies: HeldBodies;
}): Promise<IntakeDeps> {
  const { config, buckets, store, heldBodies } = deps;
  const { connection, replicas, watch, logger } = buckets;
  const perSecond = config.WEBHOOK_RATE_LIMIT;
  const limit = (message: string) =>
    createWebhookRateLimit({ perSecond, clock: () => performance.now(), message: `${message}; send it again later` });
  return {
    store,
    maxEventBytes: () => maxEventBytes(connection),
    logger,
    clock: Date.now,
    bodyLimitBytes: config.WEBHOOK_BODY_LIMIT,
    heldBodies,
    rateLimit: limit(`The webhook may receive ${perSecond} requests a second`),
    invalidLimit: limit(`The webhook may receive ${perSecond} requests a second without a valid signature`),
    tokens: createWebhookTokens(await openRecordBucket(connection, { ...webhookTokensBucket, replicas, watch })),
    senderDeliveries: await openSenderDeliveries({ ...buckets, maxBytes: config.IDEMPOTENCY_MAX_BYTES }),
    sealing: config.SECRETS_KEY && createSealing(config.SECRETS_KEY),
  };
}
