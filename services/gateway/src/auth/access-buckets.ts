import { accessBucketOptions, accessBuckets } from '@mneme/contracts';
import { makeBucket } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { windowSeconds } from '../rate-limit/sliding-window.ts';

/** What the gateways and the keys service share about users and keys. */
export interface AccessBuckets {
  readonly apiKeys: KV;
  readonly spaceOwners: KV;
  readonly keyUsage: KV;
  /** Of the gateways alone. */
  readonly keyWindows: KV;
}

/**
 * The last minute of each key by the id of its record, for the key that replaces it.
 */
export const keyWindowsOptions = {
  name: 'key-windows',
  description: 'When keys were used last, by the id of the key',
  history: 1,
  persistMode: 'async',
  ttlMs: 2 * windowSeconds * 1_000,
  maxBytes: 32 * 1_024 * 1_024,
} as const;

/** Opens the NATS KV buckets of the access area, and makes those that nobody has made yet. */
export async function openAccessBuckets(connection: NatsConnection, replicas: number): Promise<AccessBuckets> {
  const open = (name: keyof typeof accessBucketOptions) =>
    makeBucket(connection, { name, ...accessBucketOptions[name], replicas });
  const [apiKeys, spaceOwners, keyUsage, keyWindows] = await Promise.all([
    open(accessBuckets.apiKeys),
    open(accessBuckets.spaceOwners),
    open(accessBuckets.keyUsage),
    makeBucket(connection, { ...keyWindowsOptions, replicas }),
  ]);
  return { apiKeys, spaceOwners, keyUsage, keyWindows };
}
