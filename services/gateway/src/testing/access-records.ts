import { hash, randomBytes } from 'node:crypto';
import {
  accessBuckets,
  bucketCheckpoint,
  type KeyRecord,
  type KeyUsage,
  keyUsageSchema,
  type SpaceOwner,
} from '@mneme/contracts';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { untilCachesExpire } from '../short-cache.ts';

/** Writes what the keys service writes for the gateway. */
export interface AccessRecords {
  /** Creates a key that is valid in space 5 by default. */
  issueKey(record?: Partial<KeyRecord>): Promise<string>;
  /** Replaces the record of a key; like a change over HTTP, it applies at every gateway afterwards. */
  changeKey(key: string, record: Partial<KeyRecord>): Promise<void>;
  /** Sets whether the bucket of keys is marked as filled; it is from the beginning. */
  setFilled(isFilled: boolean): Promise<void>;
  putOwner(userId: number, owner: Partial<SpaceOwner>): Promise<void>;
  /** The usage of a key, as written by the gateways. */
  usageOf(key: string): Promise<KeyUsage | undefined>;
}

let lastKeyId = 0;

export async function openAccessRecords(connection: NatsConnection): Promise<AccessRecords> {
  const manager = new Kvm(connection);
  const [apiKeys, spaceOwners, keyUsage] = await Promise.all([
    manager.open(accessBuckets.apiKeys.name),
    manager.open(accessBuckets.spaceOwners.name),
    manager.open(accessBuckets.keyUsage.name),
  ]);
  const records = new Map<string, KeyRecord>();
  const put = async (key: string, record: KeyRecord) => {
    records.set(key, record);
    await apiKeys.put(sha256(key), JSON.stringify(record));
  };
  const setFilled = async (isFilled: boolean) => {
    if (isFilled) await apiKeys.put(bucketCheckpoint, JSON.stringify({ sequence: 0 }));
    else await apiKeys.delete(bucketCheckpoint);
  };
  await setFilled(true);
  return {
    setFilled,
    issueKey: async (record) => {
      const key = `sk-${randomBytes(16).toString('hex')}`;
      lastKeyId += 1;
      await put(key, { ...validRecord, keyId: lastKeyId, ...record });
      return key;
    },
    changeKey: async (key, record) => {
      await put(key, { ...validRecord, ...records.get(key), ...record });
      await untilCachesExpire();
    },
    putOwner: async (userId, owner) => {
      const record: SpaceOwner = { personalSpaceId: 1, spaceIds: [1], sequence: 1, ...owner };
      await spaceOwners.put(String(userId), JSON.stringify(record));
    },
    usageOf: async (key) => {
      const entry = await keyUsage.get(sha256(key));
      return entry ? keyUsageSchema.parse(entry.json()) : undefined;
    },
  };
}

/** Of a key that is valid in its space. */
export const validRecord: KeyRecord = {
  keyId: 0,
  spaceId: 5,
  userId: 1,
  scopes: ['*'],
  rateLimit: 1_000,
  agentId: null,
  state: 'active',
  expiresAt: null,
  sequence: 1,
};

function sha256(text: string): string {
  return hash('sha256', text);
}
