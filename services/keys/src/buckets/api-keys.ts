import {
  type AccessEvent,
  type AccessEventOf,
  accessBuckets,
  accessEvents,
  accessStream,
  type KeyRecord,
  keyRecordSchema,
} from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { type BucketDeps, KeptBucket, type RecordRules } from '@mneme/read-models';
import { aggregateOf } from '../access-rows/projection.ts';

/** Keeps the bucket by which the gateway recognises keys. */
export function startApiKeysBucket(
  deps: BucketDeps,
  onApplied: (events: readonly Recorded<AccessEvent>[]) => void,
): Promise<KeptBucket<AccessEvent, KeyRecord>> {
  return KeptBucket.start<AccessEvent, KeyRecord>(deps, {
    ...accessBuckets.apiKeys,
    stream: accessStream.name,
    catalog: accessEvents,
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
        return [event.data.keyHash];
      case 'KeyChanged':
      case 'KeyRevoked':
        return given(event.data.keyHash, event.data.oldKeyHash);
      case 'KeyRegenerated': {
        const { keyHash, replacedKeyHash, overlap, endedKeyHash } = event.data;
        return [...new Set(given(keyHash, replacedKeyHash, overlap?.keyHash, endedKeyHash))];
      }
      default:
        return [];
    }
  },
  change,
  hasEnded: ({ state }) => state === 'replaced' || state === 'revoked',
  // The record of a new key is made of that of the old one, which is valid only as long as the key that it is counted as:
  // where another key takes the place of that one, this is written before it ends.
  isEnding: ({ countedAs }) => countedAs !== undefined,
};

function given(...hashes: (string | undefined)[]): string[] {
  return hashes.filter((hash) => hash !== undefined);
}

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
      const { keyHash, oldKeyHash, scopes, rateLimit, isActive } = event.data;
      const state = isActive ? 'active' : 'inactive';
      return update(find, given(keyHash, oldKeyHash), { scopes, rateLimit, state, sequence });
    }
    case 'KeyRevoked':
      return update(find, given(event.data.keyHash, event.data.oldKeyHash), { state: 'revoked', sequence });
    case 'KeyRegenerated':
      return regenerate(event.data, find, sequence);
    default:
      return new Map();
  }
}

function regenerate(
  { keyHash, replacedKeyHash, overlap, endedKeyHash }: AccessEventOf<'KeyRegenerated'>['data'],
  find: Find,
  sequence: number,
): ReadonlyMap<string, KeyRecord> {
  const replaced = find(replacedKeyHash);
  if (!replaced) return new Map();
  const changed = new Map([[keyHash, { ...replaced, sequence }]]);
  for (const hash of given(replacedKeyHash, endedKeyHash)) {
    const old = find(hash);
    if (old) changed.set(hash, { ...old, state: 'replaced', sequence });
  }
  const old = overlap && find(overlap.keyHash);
  if (!old) return changed;
  const expiresAt = old.expiresAt !== null && old.expiresAt < overlap.until ? old.expiresAt : overlap.until;
  return changed.set(overlap.keyHash, { ...old, expiresAt, countedAs: keyHash, sequence });
}

function update(find: Find, keyHashes: readonly string[], changed: Partial<KeyRecord>): ReadonlyMap<string, KeyRecord> {
  const records = keyHashes.map((keyHash) => [keyHash, find(keyHash)] as const);
  return new Map(records.flatMap(([keyHash, before]) => (before ? [[keyHash, { ...before, ...changed }]] : [])));
}
