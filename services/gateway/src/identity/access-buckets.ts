import { accessBucketOptions, accessBuckets } from '@mneme/contracts';
import { makeBucket } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';

/** What the gateways and the keys service share about users and keys. */
export interface AccessBuckets {
  readonly apiKeys: KV;
  readonly spaceOwners: KV;
  readonly keyUsage: KV;
}

/** Opens the NATS KV buckets of the access area, and makes those that nobody has made yet. */
export async function openAccessBuckets(connection: NatsConnection, replicas: number): Promise<AccessBuckets> {
  const open = (name: keyof typeof accessBucketOptions) =>
    makeBucket(connection, { name, ...accessBucketOptions[name], replicas });
  const [apiKeys, spaceOwners, keyUsage] = await Promise.all([
    open(accessBuckets.apiKeys),
    open(accessBuckets.spaceOwners),
    open(accessBuckets.keyUsage),
  ]);
  return { apiKeys, spaceOwners, keyUsage };
}
