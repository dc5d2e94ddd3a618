import { accessBucketOptions, accessBuckets } from '@mneme/contracts';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';

/** What the gateways and the keys service share about users and keys. */
export interface AccessBuckets {
  readonly apiKeys: KV;
  readonly spaceOwners: KV;
  readonly keyUsage: KV;
}

/** Opens the NATS KV buckets of the access area, and makes those that nobody has made yet. */
export async function openAccessBuckets(connection: NatsConnection, replicas: number): Promise<AccessBuckets> {
  const manager = new Kvm(connection);
  const open = (name: keyof typeof accessBucketOptions) =>
    manager.create(name, { ...accessBucketOptions[name], replicas });
  const [apiKeys, spaceOwners, keyUsage] = await Promise.all([
    open(accessBuckets.apiKeys),
    open(accessBuckets.spaceOwners),
    open(accessBuckets.keyUsage),
  ]);
  return { apiKeys, spaceOwners, keyUsage };
}
