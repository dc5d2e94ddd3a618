import { type BucketOptions, type ConnectionWatch, mayBeLost, openBucket, streamExists } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import { oneAtATime } from '@mneme/workers/once';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { unavailable } from './errors.ts';

/** A bucket that the gateways fill. */
export interface GatewayBucket {
  readonly bucket: KV;
  /**
   * Asks what may be asked twice, as `ConnectionWatch.ask` does. A bucket that was lost is made again, empty, and asked
   * once more.
   * @throws WireError 503 when it cannot be made again
   */
  ask<T>(act: () => Promise<T>): Promise<T>;
}

export interface GatewayBucketDeps {
  readonly connection: NatsConnection;
  readonly watch: ConnectionWatch;
  readonly replicas: number;
  readonly logger: Logger;
}

/** @param open how it is opened; for reads that ask the leader unless given */
export async function openGatewayBucket(
  deps: GatewayBucketDeps,
  settings: Omit<BucketOptions, 'replicas'>,
  open = openBucket,
): Promise<GatewayBucket> {
  const { connection, watch, replicas, logger } = deps;
  const { name } = settings;
  const options = { ...settings, replicas };
  const bucket = await open(connection, options);
  const makeAgain = oneAtATime(async () => {
    if (await streamExists(connection, `KV_${name}`)) return;
    await open(connection, options);
    logger.warn({ bucket: name }, 'A bucket was lost and is made again, empty');
  });
  const askAgain = async <T>(act: () => Promise<T>, failure: unknown): Promise<T> => {
    if (!mayBeLost(failure)) throw failure;
    await makeAgain().catch((error: unknown) => {
      throw unavailable(`The bucket ${name} is out of reach, try again later`, undefined, error);
    });
    return act();
  };
  return { bucket, ask: (act) => watch.ask(() => act().catch((error: unknown) => askAgain(act, error))) };
}
