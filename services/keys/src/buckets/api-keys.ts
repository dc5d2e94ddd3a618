import {
  type AccessEvent,
  accessBucketOptions,
  accessBuckets,
  type KeyRecord,
  keyRecordSchema,
} from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { KeptBucket, type RecordRules } from '@mneme/read-models';
import { aggregateOf } from '../access-rows/projection.ts';
import { type AccessBucketDeps, followingAccess } from './access-bucket.ts';

export type ApiKeysBucket = KeptBucket<AccessEvent, KeyRecord>;

/** Keeps the bucket by which the gateway recognises keys. */
export function startApiKeysBucket(
  deps: AccessBucketDeps,
  onApplied: (events: readonly Recorded<AccessEvent>[]) => void,
): Promise<ApiKeysBucket> {
  const name = accessBuckets.apiKeys;
  return KeptBucket.start<AccessEvent, KeyRecord>(followingAccess(deps), {
    name,
    ...accessBucketOptions[name],
    schema: keyRecordSchema,
    rules: apiKeyRules,
    aggregateOf,
    onApplied,
  });
}

/** Records of keys, by the hash of the key. A replaced or revoked key keeps its record, so that it is known to have ended. */
export const apiKeyRules: RecordRules<AccessEvent, KeyRecord> = {
  types: ['KeyIssued', 'KeyChanged', 'KeyRegenerated', 'KeyRevoked'],
  keysOf: (event) => {
    switch (event.type) {
      case 'KeyIssued':
      case 'KeyChanged':
      case 'KeyRevoked':
        return [event.data.keyHash];
      case 'KeyRegenerated':
        return [event.data.keyHash, event.data.replacedKeyHash];
      default:
        return [];
    }
  },
  change,
  hasEnded: ({ state }) => state === 'replaced' || state === 'revoked',
};

/** The hashes of the keys that an event ends. */
export function endedBy(event: AccessEvent): readonly string[] {
  if (event.type === 'KeyRegenerated') return [event.data.replacedKeyHash];
  return event.type === 'KeyRevoked' ? [event.data.keyHash] : [];
}

type Find = (keyHash: string) => KeyRecord | undefined;

function change(event: Recorded<AccessEvent>, find: Find): ReadonlyMap<string, KeyRecord> {
  const { sequence } = event.position;
  switch (event.type) {
    case 'KeyIssued': {
      const { keyId, spaceId, userId, scopes, rateLimit, agentId, expiresAt, keyHash } = event.data;
      const issued = { keyId, spaceId, userId, scopes, rateLimit, agentId, expiresAt };
      return new Map([[keyHash, { ...issued, state: 'active', sequence }]]);
    }
    case 'KeyChanged': {
      const { keyHash, scopes, rateLimit, isActive } = event.data;
      return update(find, keyHash, { scopes, rateLimit, state: isActive ? 'active' : 'inactive', sequence });
    }
    case 'KeyRevoked':
      return update(find, event.data.keyHash, { state: 'revoked', sequence });
    case 'KeyRegenerated': {
      const { keyHash, replacedKeyHash } = event.data;
      const replaced = find(replacedKeyHash);
      if (!replaced) return new Map();
      return new Map([
        [keyHash, { ...replaced, sequence }],
        [replacedKeyHash, { ...replaced, state: 'replaced', sequence }],
      ]);
    }
    default:
      return new Map();
  }
}

function update(find: Find, keyHash: string, changed: Partial<KeyRecord>): ReadonlyMap<string, KeyRecord> {
  const before = find(keyHash);
  return before ? new Map([[keyHash, { ...before, ...changed }]]) : new Map();
}
