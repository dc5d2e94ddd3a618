import { watchConnection } from '@mneme/event-store';
import { createLogger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { GatewayBucketDeps } from '../gateway-bucket.ts';

/** For a store of its own on the NATS of a test. */
export function bucketDeps(connection: NatsConnection): GatewayBucketDeps {
  const logger = createLogger({ service: 'test', level: 'silent' });
  return { connection, watch: watchConnection(connection), replicas: 1, logger };
}
